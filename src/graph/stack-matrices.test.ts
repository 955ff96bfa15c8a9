import { expect, test } from "vitest";
import { checkCsr, csrFromEntries } from "./csr.ts";
import { stackMatrices } from "./stack-matrices.ts";

test("stackMatrices puts rows one below the other, empty ones and those without values included", () => {
  const first = csrFromEntries(2, 3, [0, 0], [0, 2], [0.5, 0.25]);
  const second = csrFromEntries(1, 3, [0], [1]);
  const none = csrFromEntries(0, 3, [], []);
  const stacked = stackMatrices([first, none, second], 3);
  checkCsr(stacked, "stacked");
  expect(stacked).toEqual({
    numRows: 3,
    numCols: 3,
    rowPtr: Int32Array.of(0, 2, 2, 3),
    colIdx: Int32Array.of(0, 2, 1),
    values: Float32Array.of(0.5, 0.25, 1),
  });
  expect(stackMatrices([], 3)).toEqual({ ...none, values: new Float32Array(0) });
});

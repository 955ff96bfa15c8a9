import { describe, expect, test } from "vitest";
import { csrFromEntries } from "./csr.ts";
import { selectRows } from "./select-rows.ts";

describe("selectRows", () => {
  test("takes dense rows in the order given", () => {
    const features = { numRows: 3, numCols: 2, data: Float32Array.of(0, 1, 2, 3, 4, 5) };
    expect(selectRows(features, Int32Array.of(2, 0))).toEqual({
      numRows: 2,
      numCols: 2,
      data: Float32Array.of(4, 5, 0, 1),
    });
  });
  test("takes sparse rows in the order given, empty ones too", () => {
    const features = csrFromEntries(3, 4, [0, 0, 2], [1, 3, 0], [1, 2, 3]);
    expect(selectRows(features, Int32Array.of(2, 1, 0))).toEqual(csrFromEntries(3, 4, [0, 2, 2], [0, 1, 3], [3, 1, 2]));
  });
});

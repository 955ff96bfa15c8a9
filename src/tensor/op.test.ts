import { describe, expect, test } from "vitest";
import { countKernels } from "../../test/support/count-kernels.ts";
import { expectValues } from "../../test/support/dense.ts";
import { createReference } from "../backend/reference/reference.ts";
import { defer } from "./op.ts";
import { OpKind } from "./op-kind.ts";
import { affine } from "./ops/elementwise.ts";
import { scope } from "./scope.ts";
import { type Tensor, tensor } from "./tensor.ts";

const { backend, calls, reset } = countKernels(createReference());
const x = tensor(backend, [1, 2], [2]);

describe("an op", () => {
  test("is computed when its value leaves the scope, and not at all if it does not", async () => {
    reset();
    const y = scope(() => {
      affine(x, 3);
      const kept = affine(x, 2);
      expect(calls("affine")).toBe(0);
      return kept;
    });
    expect(calls("affine")).toBe(1);
    await expectValues(y, [2, 4]);
  });

  test("is computed at once outside any scope", () => {
    reset();
    affine(x, 2);
    expect(calls("affine")).toBe(1);
  });

  test("lives as long as the scope it was called in, wherever it is computed", async () => {
    const result = scope(() => {
      const y = affine(x, 2);
      const z = scope(() => affine(y, 10)); // computes y as well
      return [y, z];
    });
    await expectValues(result[0], [2, 4]);
    await expectValues(result[1], [20, 40]);
  });

  test("that fails leaves nothing behind that could be taken for a result", () => {
    const before = backend.memory.current;
    const failing = (X: Tensor) =>
      defer({
        kind: new OpKind("failing"),
        operands: {},
        backend,
        shape: X.shape,
        inputs: [X],
        forward: () => {
          throw new Error("no luck");
        },
        gradients: () => [],
      });
    scope(() => {
      const y = failing(x);
      expect(() => y.buffer).toThrow("no luck");
      expect(() => y.buffer).toThrow("was disposed");
    });
    expect(backend.memory.current).toBe(before);
  });
});

import { describe, expect, test } from "vitest";
import { countKernels } from "../../test/support/count-kernels.ts";
import { expectValues, valuesOf } from "../../test/support/dense.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { createReference } from "../backend/reference/reference.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { add, affine, mul, relu, square, sub, tanh } from "./ops/elementwise.ts";
import { matmul } from "./ops/matmul.ts";
import { mean, sum, sumSquares } from "./ops/reductions.ts";
import { addBias, logSoftmax } from "./ops/rows.ts";
import { spmm } from "./ops/spmm.ts";
import { scope } from "./scope.ts";
import { SparseMatrix } from "./sparse-matrix.ts";
import { isTracked, record, spare, valueAndGrad } from "./tape.ts";
import { filled, type Tensor, tensor } from "./tensor.ts";

const vector = (backend: ReturnType<typeof createReference>, ...values: number[]) =>
  tensor(backend, values, [values.length]);

describe("valueAndGrad", () => {
  const backend = createReference();

  test("returns the value and its gradient", async () => {
    const x = vector(backend, 1, -2, 3);
    const { value, grads } = valueAndGrad(() => [sumSquares(x)], [x]);
    expect(await value.item()).toBe(14);
    expect(await valuesOf(grads[0])).toEqual([2, -4, 6]);
  });

  test("adds up the gradients of a tensor that is used more than once", async () => {
    const x = vector(backend, 2, 5);
    const { grads } = valueAndGrad(() => [sum(add(mul(x, x), affine(x, 3)))], [x]);
    expect(await valuesOf(grads[0])).toEqual([7, 13]);
  });

  test("counts both uses where an op hands its gradient on unchanged", async () => {
    const x = vector(backend, 2, 5);
    const gradient = async (f: () => Tensor) => valuesOf(valueAndGrad(() => [sum(f())], [x]).grads[0]);
    expect(await gradient(() => add(x, x))).toEqual([2, 2]);
    expect(await gradient(() => sub(x, x))).toEqual([0, 0]);
    expect(await gradient(() => add(add(x, x), add(x, x)))).toEqual([4, 4]);
  });

  test("keeps gradients that share storage apart when one of them grows", async () => {
    const X = randomTensor(backend, [3, 3], 1);
    const W = randomTensor(backend, [3, 3], 2);
    await expectGradient(
      (X, W) => {
        const H = matmul(X, W); // its gradient comes from three ops, one of which accumulates in place
        return add(add(H, matmul(H, W)), add(tanh(H), X));
      },
      [X, W],
      3,
    );
  });

  test("lends an op the gradient of its output to write over, unless somebody else needs it", () => {
    const x = vector(backend, 2, 5);
    const freedom: boolean[] = [];
    const watch = (y: Tensor) => {
      const out = affine(y, 1);
      expect(out.buffer).toBeDefined(); // computed: what is recorded below goes back through it instead
      return record(out, [y], (dY) => {
        freedom.push(spare(dY) === dY);
        return [() => dY];
      });
    };
    valueAndGrad(() => [sum(watch(affine(x, 2)))], [x]);
    valueAndGrad(() => {
      const first = affine(x, 2);
      expect(first.buffer).toBeDefined(); // computed first, so that its gradient is needed last
      return [sum(add(first, watch(affine(x, 3))))]; // one tensor for the gradients of both summands
    }, [x]);
    expect(freedom).toEqual([true, false]);
  });

  test("differentiates a whole layer with skip connection, bias and loss", async () => {
    const A = SparseMatrix.upload(backend, csrFromEntries(4, 4, [0, 1, 1, 3], [1, 0, 2, 0], [0.5, 1, 2, -1]));
    const inputs = [randomTensor(backend, [4, 3], 4), randomTensor(backend, [3, 3], 5), randomTensor(backend, [3], 6)];
    await expectGradient((X, W, b) => logSoftmax(add(addBias(spmm(A, matmul(X, W)), b), X)), inputs, 7);
  });

  test("gives a gradient of its own to each tensor asked for, even to one named twice", async () => {
    const x = vector(backend, 1, 2);
    const y = vector(backend, 3, 4);
    const { grads } = valueAndGrad(() => [sum(add(x, y))], [x, y, x]);
    expect(new Set(grads).size).toBe(3);
    grads[0].dispose();
    expect(await valuesOf(grads[1])).toEqual([1, 1]);
    expect(await valuesOf(grads[2])).toEqual([1, 1]);
  });

  test("gives zeros to a tensor that the value does not depend on", async () => {
    const x = vector(backend, 1);
    const unused = vector(backend, 3, 4);
    const { grads } = valueAndGrad(() => [sum(x)], [x, unused]);
    expect(await valuesOf(grads[1])).toEqual([0, 0]);
  });

  test("of the tensor itself is 1", async () => {
    const x = vector(backend, 7);
    const { value, grads } = valueAndGrad(() => [x], [x]);
    expect(value).toBe(x);
    expect(await valuesOf(grads[0])).toEqual([1]);
  });

  test("returns further results of the step, whether the value depends on them or not", async () => {
    const x = vector(backend, -1, 4);
    const { aux } = valueAndGrad(() => {
      const positive = relu(x);
      return [sum(square(positive)), positive, affine(positive, 10)];
    }, [x]);
    expect(await valuesOf(aux[0])).toEqual([0, 4]);
    expect(await valuesOf(aux[1])).toEqual([0, 40]);
  });

  test("refuses a value of more than one element, and one that does not depend on anything asked for", () => {
    const x = vector(backend, 1, 2);
    const y = vector(backend, 1);
    expect(() => valueAndGrad(() => [square(x)], [x])).toThrow(
      "valueAndGrad: the value must have one element, got shape [2]",
    );
    expect(() => valueAndGrad(() => [sum(x)], [y])).toThrow(
      "valueAndGrad: the value does not depend on what the gradient is asked for",
    );
  });

  test("refuses gradients of gradients, and works again afterwards", async () => {
    const x = vector(backend, 3);
    const inner = () => valueAndGrad(() => [square(x)], [x]).value;
    expect(() => valueAndGrad(() => [inner()], [x])).toThrow("gradients of gradients are not supported");
    expect(await valuesOf(valueAndGrad(() => [square(x)], [x]).grads[0])).toEqual([6]);
  });

  test("records only what depends on the tensors asked for, and only while it runs", () => {
    const x = vector(backend, 3);
    const y = vector(backend, 4);
    valueAndGrad(() => {
      expect([isTracked(x), isTracked(y), isTracked(square(y)), isTracked(mul(x, y))]).toEqual([
        true,
        false,
        false,
        true,
      ]);
      return [square(x)];
    }, [x]);
    expect(isTracked(x)).toBe(false);
  });
});

describe("the work of valueAndGrad", () => {
  const { backend, calls, reset } = countKernels(createReference());
  const X = randomTensor(backend, [4, 3], 1);
  const W = randomTensor(backend, [3, 2], 2);
  const S = SparseMatrix.upload(backend, csrFromEntries(4, 4, [0, 1], [1, 0]));
  const values = randomTensor(backend, [2], 3);
  const step = () => [sumSquares(spmm(S.withValues(values), matmul(X, W)))] as const;

  test("for the weights of a layer is one product forwards and one back", () => {
    reset();
    valueAndGrad(step, [W]);
    expect(calls("matmul")).toBe(2); // Y = X·W and dW; dX is nobody's
    expect(calls("spmm")).toBe(2);
    expect(calls("sddmm")).toBe(0);
  });

  test("for the edges is a sampled product and no dense one", () => {
    reset();
    valueAndGrad(step, [values]);
    expect(calls("matmul")).toBe(1);
    expect(calls("spmm")).toBe(1);
    expect(calls("sddmm")).toBe(1);
  });

  test("computes nothing that no result depends on, and goes back through nothing that the value does not", () => {
    reset();
    valueAndGrad(() => {
      matmul(X, W); // no part of any result
      return [sumSquares(W), matmul(X, W)];
    }, [W]);
    expect(calls("matmul")).toBe(1);
  });
});

describe("the memory of valueAndGrad", () => {
  const backend = createReference();
  const X = randomTensor(backend, [8, 4], 1);
  const W = randomTensor(backend, [4, 4], 2);
  const hidden = () => add(relu(matmul(X, W)), matmul(X, matmul(W, W)));

  test("is what it returns: everything else is freed", () => {
    const before = backend.memory.current;
    const { value, aux, grads } = valueAndGrad(() => {
      const H = hidden();
      return [mean(square(H)), H];
    }, [W]);
    expect(backend.memory.current - before).toBe(4 * (1 + 32 + 16)); // value, H [8, 4], dW [4, 4]
    for (const item of [value, ...aux, ...grads]) item.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("is freed when the step throws, and no tape stays active", () => {
    const before = backend.memory.current;
    expect(() =>
      valueAndGrad(() => {
        hidden();
        throw new Error("the step failed");
      }, [W]),
    ).toThrow("the step failed");
    expect(isTracked(W)).toBe(false);
    expect(backend.memory.current).toBe(before);
    expect(() => valueAndGrad(() => [hidden()], [W])).toThrow("must have one element");
    expect(backend.memory.current).toBe(before);
  });

  test("shrinks on the way back: what is behind has been freed, outputs and gradients alike", () => {
    const x = randomTensor(backend, [1000], 3);
    const before = backend.memory.current;
    let atTheStart = 0;
    const probed = () => {
      const copy = filled(backend, [1000], 1);
      return record(copy, [x], (dY) => [
        () => {
          atTheStart = backend.memory.current - before;
          return dY;
        },
      ]);
    };
    const chain = () => {
      let y = probed();
      for (let i = 0; i < 20; i++) y = add(tanh(y), y);
      return [sum(y)] as const;
    };
    scope(() => void valueAndGrad(chain, [x]));
    expect(atTheStart).toBe(4 * (1000 + 1000 + 1)); // the first output, its gradient and the value
    expect(backend.memory.current).toBe(before);
  });

  test("does not grow over 10,000 steps", () => {
    const w = vector(backend, 0.5, -0.5);
    const S = SparseMatrix.upload(backend, csrFromEntries(2, 2, [0, 1], [0, 0]));
    const x = tensor(backend, [1, 2], [2, 1]);
    const step = () => scope(() => void valueAndGrad(() => [sumSquares(spmm(S.withValues(w), x))], [w, x]));
    step(); // the transposed pattern is made once
    const before = backend.memory.current;
    for (let i = 0; i < 10_000; i++) step();
    expect(backend.memory.current).toBe(before);
  });

  test("spares tensors of the caller that the step passes on", async () => {
    const outer = scope(() => square(W));
    const { value } = valueAndGrad(() => [sum(mul(outer, W))], [W]);
    expect(outer.isDisposed).toBe(false);
    await expectValues(value, [(await valuesOf(W)).reduce((total, w) => total + w ** 3, 0)]);
  });
});

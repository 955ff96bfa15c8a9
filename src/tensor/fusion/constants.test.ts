import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { countKernels } from "../../../test/support/count-kernels.ts";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Constants, matmul, relu, SparseMatrix, scope, spmm, sum, toDevice, valueAndGrad } from "../index.ts";

const { backend, calls, reset } = countKernels(createReference());

describe("Constants", () => {
  const X = randomTensor(backend, [4, 3], 1);
  const W = randomTensor(backend, [3, 2], 2);
  const V = randomTensor(backend, [2, 2], 3);

  test("compute a product of what stays once, and one with what changes in every step", async () => {
    const constants = new Constants({ changing: [V] });
    const step = () => constants.during(() => scope(() => matmul(relu(matmul(X, W)), V)));
    const first = step();
    reset();
    const second = step();
    expect(calls("matmul")).toBe(1);
    await expectValues(second, await valuesOf(first));
    V.assign((await V.read()).map((x) => 2 * x));
    await expectValues(
      step(),
      (await valuesOf(first)).map((x) => 2 * x),
    );
    constants.dispose();
  });

  test("do not take what a gradient is asked by for a constant", async () => {
    const constants = new Constants();
    const slope = () => constants.during(() => valueAndGrad(() => [sum(relu(matmul(X, W)))], [X])).grads[0];
    const first = await valuesOf(slope());
    X.assign((await X.read()).map((x) => -x));
    const second = await valuesOf(slope());
    X.assign((await X.read()).map((x) => -x));
    expect(second).not.toEqual(first);
    constants.dispose();
  });

  test("take nothing from another run", async () => {
    const steps = [new Constants(), new Constants()].map((constants) =>
      constants.during(() => scope(() => relu(matmul(X, W)))),
    );
    await expectValues(steps[1], await valuesOf(steps[0]));
  });

  test("let features meet the edges first while those stay, so that the sparse product is made once", async () => {
    const S = SparseMatrix.upload(backend, randomGraph(4, 0.5, 7).adjacency);
    const constants = new Constants({ changing: [W] });
    const step = () => constants.during(() => scope(() => relu(spmm(S, matmul(X, W)))));
    const first = step();
    reset();
    const second = step();
    expect(calls("spmm")).toBe(0);
    await expectValues(second, await valuesOf(first));
    await expectValues(first, await valuesOf(relu(spmm(S, matmul(X, W)))), 1e-12);
    constants.dispose();
  });

  test("keep what is made of the edges of their own graph, and of no other", () => {
    const view = toDevice(backend, randomGraph(4, 0.5, 7));
    const other = toDevice(backend, randomGraph(4, 0.5, 8));
    const constants = new Constants({ graph: view });
    let made = 0;
    const make = () => {
      made++;
      return randomTensor(backend, [1], 1);
    };
    for (const graph of [view, view, other, other]) constants.of(graph, "key", make);
    expect(made).toBe(3);
    constants.dispose();
  });

  test("give their memory back", () => {
    const before = backend.memory.current;
    const constants = new Constants();
    const Y = constants.during(() => scope(() => relu(matmul(X, W))));
    expect(backend.memory.current).toBeGreaterThan(before);
    Y.dispose();
    constants.dispose();
    expect(backend.memory.current).toBe(before);
  });
});

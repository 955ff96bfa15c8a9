import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { randomBlock } from "../../../test/support/block.ts";
import { countKernels } from "../../../test/support/count-kernels.ts";
import { expectValues, valuesOf } from "../../../test/support/dense.ts";
import { expectGradient } from "../../../test/support/expect-gradient.ts";
import { randomTensor } from "../../../test/support/random-tensor.ts";
import { relaxedCase } from "../../../test/support/relaxed-case.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import {
  add,
  addBias,
  affine,
  convolve,
  countCorrect,
  degrees,
  dropout,
  type GraphView,
  gatherRows,
  IntTensor,
  margins,
  matmul,
  mean,
  reciprocal,
  relax,
  relu,
  rsqrt,
  scaleCols,
  scope,
  type Tensor,
  tanh,
  valueAndGrad,
  withoutFusion,
} from "../index.ts";

const BACKENDS: Record<string, Backend> = {
  "fused kernels": createReference(),
  "composed kernels": createReference({ fused: false }),
};

interface Inputs {
  readonly weights: Tensor;
  readonly X: Tensor;
  readonly W: Tensor;
  readonly V: Tensor;
  readonly bias: Tensor;
}

interface Setting {
  readonly labels: IntTensor;
  readonly nodes: IntTensor;
  /** The graph with candidates of these weights over it. */
  relaxed(weights: Tensor): GraphView;
}

interface Case {
  /** How the result is written. */
  write(inputs: Inputs, setting: Setting): Tensor;
  /** What its gradient is checked in. */
  readonly by: readonly (keyof Inputs)[];
  /** Kernels that must have computed it, and kernels that must not. */
  readonly kernels: readonly (keyof Backend)[];
  readonly not?: readonly (keyof Backend)[];
}

const symmetric = (view: GraphView) => rsqrt(affine(degrees(view, "column"), 1, 1));
const layer = ({ weights, X, bias }: Inputs, { relaxed }: Setting) => {
  const view = relaxed(weights);
  return relu(addBias(convolve(view, X, symmetric(view), "both"), bias));
};

const CASES: Record<string, Case> = {
  "bias and relu behind a convolution": {
    write: layer,
    by: ["weights", "X", "bias"],
    kernels: ["convolve"],
    not: ["affineCols", "unary"],
  },
  "bias and relu behind a product": {
    write: ({ X, V, bias }) => relu(addBias(matmul(X, V), bias)),
    by: ["X", "V", "bias"],
    kernels: ["matmul"],
    not: ["affineCols", "unary"],
  },
  "chosen rows of a convolution": {
    write: (inputs, setting) => gatherRows(layer(inputs, setting), setting.nodes),
    by: ["weights", "X", "bias"],
    kernels: ["convolveRows"],
    not: ["gatherRows", "convolve"],
  },
  "a product behind a convolution": {
    write: (inputs, setting) => matmul(layer(inputs, setting), inputs.V),
    by: ["weights", "X", "bias", "V"],
    kernels: ["convolve", "matmul"],
  },
  "a layer with relu behind a convolution": {
    write: (inputs, setting) => relu(matmul(layer(inputs, setting), inputs.V)),
    by: ["weights", "X", "bias", "V"],
    kernels: ["convolve", "matmul"],
    not: ["unary"],
  },
  "two products behind a convolution": {
    write: (inputs, setting) => {
      const H = layer(inputs, setting);
      return add(matmul(H, inputs.V), relu(matmul(H, inputs.V)));
    },
    by: ["weights", "X", "bias", "V"],
    kernels: ["convolve", "matmul"],
  },
  "a wide product inside a convolution": {
    write: ({ weights, X, W }, { relaxed }) =>
      convolve(relaxed(weights), matmul(X, W), symmetric(relaxed(weights)), "both"),
    by: ["weights", "X", "W"],
    kernels: ["convolve", "matmul"],
  },
  "degrees that normalise rows": {
    write: ({ weights, X }, { relaxed }) => {
      const view = relaxed(weights);
      return convolve(view, X, reciprocal(affine(degrees(view, "row"), 1, 1)), "left");
    },
    by: ["weights", "X"],
    kernels: ["degreeScale"],
    not: ["rowSums", "unary"],
  },
  "batch norm of an evaluation": {
    write: ({ weights, X, V, bias }, { relaxed }) => {
      const view = relaxed(weights);
      const Z = addBias(convolve(view, matmul(X, V), symmetric(view), "both"), bias);
      return relu(addBias(scaleCols(Z, affine(bias, 2, 1)), affine(bias, -1, 3)));
    },
    by: ["weights", "X", "V", "bias"],
    kernels: ["convolve"],
  },
  "dropout behind relu": {
    write: ({ X }) => dropout(relu(X), 0.4, new Rng(5).nextKey()),
    by: ["X"],
    kernels: ["reluDropout"],
    not: ["unary", "dropout"],
  },
  "the mean tanh of margins": {
    write: ({ X }, { labels }) => mean(tanh(margins(X, labels)), -2),
    by: ["X"],
    kernels: ["tanhMargins"],
    not: ["margins", "dot"],
  },
};

function caseOn(backend: Backend): { inputs: Inputs; setting: Setting } {
  const graph = randomGraph(7, 0.4, 71);
  const host = randomBlock(graph, 72);
  const weights = host.weights.map((p) => Math.max(p, 0.2)); // all active: everything is smooth around them
  const { view, block } = relaxedCase(backend, graph, { ...host, weights });
  const inputs = {
    weights: block.weights,
    X: randomTensor(backend, [7, 3], 1),
    W: randomTensor(backend, [3, 5], 2),
    V: randomTensor(backend, [3, 3], 3),
    bias: randomTensor(backend, [3], 4),
  };
  const setting = {
    labels: IntTensor.from(backend, [0, 2, 1, 1, 0, 2, 2]),
    nodes: IntTensor.from(backend, [5, 0, 3, 5]),
    relaxed: (weights: Tensor) => relax(view, { ...block, weights }, 0),
  };
  return { inputs, setting };
}

describe.each(Object.entries(BACKENDS))("fusion with %s", (_, backend) => {
  test.each(Object.entries(CASES))("computes %s as it is written, by the kernels it should", async (_, what) => {
    const { backend: counted, calls, reset } = countKernels(backend);
    const { inputs, setting } = caseOn(counted);
    const plain = await valuesOf(withoutFusion(() => scope(() => what.write(inputs, setting))));
    reset();
    const fused = scope(() => what.write(inputs, setting));
    expect(what.kernels.filter((name) => calls(name) === 0)).toEqual([]);
    expect((what.not ?? []).filter((name) => calls(name) > 0)).toEqual([]);
    await expectValues(fused, plain, 1e-12);
  });

  test.each(Object.entries(CASES))("has the gradient of %s that finite differences predict", async (_, what) => {
    const { inputs, setting } = caseOn(backend);
    const write = (...at: Tensor[]) => {
      const given = Object.fromEntries(what.by.map((name, t) => [name, at[t]]));
      return what.write({ ...inputs, ...given }, setting);
    };
    await expectGradient(
      write,
      what.by.map((name) => inputs[name]),
      80,
    );
  });

  test("gives no gradient to a count that comes with the margins", async () => {
    const alloc: Backend["alloc"] = (dtype, length) => {
      const buffer = backend.alloc(dtype, length);
      if (dtype === "f32") backend.fill(buffer, Number.NaN); // as memory that was in use before may hold anything
      return buffer;
    };
    const { inputs, setting } = caseOn({ ...backend, alloc });
    const loss = () => mean(tanh(margins(inputs.X, setting.labels)), -1);
    const alone = valueAndGrad(() => [loss()], [inputs.X]);
    const both = valueAndGrad(() => [add(loss(), countCorrect(inputs.X, setting.labels))], [inputs.X]);
    await expectValues(both.grads[0], await valuesOf(alone.grads[0]), 1e-12);
  });

  test("counts what is right in the pass that sums margins up", async () => {
    const { backend: counted, calls } = countKernels(backend);
    const { inputs, setting } = caseOn(counted);
    const outcome = () =>
      [mean(tanh(margins(inputs.X, setting.labels)), -1), countCorrect(inputs.X, setting.labels)] as const;
    const { value, aux } = valueAndGrad(outcome, [inputs.X]);
    expect(calls("tanhMargins")).toBe(1);
    expect(calls("argmaxRows")).toBe(0);
    const [loss, correct] = withoutFusion(() => scope(outcome));
    await expectValues(value, await valuesOf(loss), 1e-12);
    await expectValues(aux[0], await valuesOf(correct));
  });
});

import { check } from "../../core/errors.ts";
import type { Graph } from "../../graph/graph.ts";
import { featureProduct } from "../../nn/layers/feature-product.ts";
import type { Model } from "../../nn/model.ts";
import { Gcn } from "../../nn/models/gcn.ts";
import { Sgc } from "../../nn/models/sgc.ts";
import { type GraphView, hostGraph, matmul, scope, type Tensor, type Values } from "../../tensor/index.ts";

/**
 * A model without activations on the host: `Z = Â²·F` with `F = X·W`, where Â = S(A + I)S and S has the inverse roots
 * of the degrees plus one on its diagonal. Biases are left out, as Nettack does. All matrices are those of the clean
 * graph.
 */
export interface LinearTwoStep {
  readonly graph: Graph;
  readonly numClasses: number;
  /** F, [n, classes]. */
  readonly scores: Values;
  /** (A + I)·S·F, [n, classes]. */
  readonly sums: Float64Array;
  /** The bias that the model adds to every row of Z; null if it has none that is the same for all rows. */
  readonly bias: Values | null;
}

/** Reads a linear GCN of two layers, or SGC with two steps, on an undirected graph. */
export async function linearTwoStep(name: string, model: Model, view: GraphView): Promise<LinearTwoStep> {
  const weights = linearWeights(name, model);
  check(!view.directed, () => `${name}: attacks undirected graphs only; symmetrise the graph`);
  const graph = hostGraph(view, name);
  const F = scope(
    () => weights.reduce<Tensor | null>((H, W) => (H ? matmul(H, W) : featureProduct(view.features, W)), null)!,
  );
  const numClasses = F.shape[1];
  const scores = await F.read().finally(() => F.dispose());
  const bias = model instanceof Sgc ? await model.parameters.get("bias")!.read() : null;
  return { graph, numClasses, scores, sums: sumsOf(graph, scores, numClasses), bias };
}

/** s_v for a node of this degree. */
export function scaleOf(degree: number): number {
  return 1 / Math.sqrt(degree + 1);
}

/** The matrices whose product is W; throws if the model is no linear one of two steps. */
export function linearWeights(name: string, model: Model): readonly Tensor[] {
  const weights = weightsOf(model);
  check(
    weights !== null,
    () => `${name}: needs a linear model of two steps to find flips on, linear-gcn or sgc; ${model.name} is none`,
  );
  return weights;
}

/** The matrices of {@link linearWeights}; null if the model is no linear one of two steps. */
function weightsOf(model: Model): Tensor[] | null {
  const { config, parameters } = model;
  if (model instanceof Sgc) return config["steps"] === 2 ? [parameters.get("weight")!] : null;
  if (!(model instanceof Gcn) || model.name !== "gcn") return null;
  const isLinear =
    config["activation"] === "identity" && config["normalisation"] === "symmetric" && !config["batchNorm"];
  if (!isLinear || (config["hidden"] as readonly number[]).length !== 1) return null;
  return [parameters.get("convs.0.weight")!, parameters.get("convs.1.weight")!];
}

function sumsOf({ adjacency, numNodes }: Graph, scores: Values, numClasses: number): Float64Array {
  const { rowPtr, colIdx } = adjacency;
  const scale = Float64Array.from({ length: numNodes }, (_, v) => scaleOf(rowPtr[v + 1] - rowPtr[v]));
  const sums = new Float64Array(numNodes * numClasses);
  for (let v = 0; v < numNodes; v++) {
    const add = (w: number) => {
      for (let c = 0; c < numClasses; c++) sums[v * numClasses + c] += scale[w] * scores[w * numClasses + c];
    };
    add(v);
    for (let e = rowPtr[v]; e < rowPtr[v + 1]; e++) add(colIdx[e]);
  }
  return sums;
}

import type { Graph } from "../../src/graph/graph.ts";
import { isSparse } from "../../src/graph/graph.ts";
import type { Gcn } from "../../src/nn/models/gcn.ts";
import { denseOf, product, rowsOf, valuesOf } from "./dense.ts";

/** Weights and biases of a GCN without batch norm, on the host. */
export interface HostGcn {
  readonly layers: readonly { weight: number[][]; bias: number[] }[];
  readonly row: boolean;
  readonly linear: boolean;
}

export async function hostGcn(model: Gcn): Promise<HostGcn> {
  const layers: { weight: number[][]; bias: number[] }[] = [];
  for (let l = 0; model.parameters.has(`convs.${l}.weight`); l++) {
    const weight = await rowsOf(model.parameters.get(`convs.${l}.weight`)!);
    const bias = model.parameters.get(`convs.${l}.bias`);
    layers.push({ weight, bias: bias ? await valuesOf(bias) : weight[0].map(() => 0) });
  }
  const { normalisation, activation } = model.config;
  return { layers, row: normalisation === "row", linear: activation === "identity" };
}

/** Â of a dense, perhaps weighted adjacency: with unit self loops, divided by row sums or by roots of column sums. */
export function denseNormalised(A: readonly number[][], row: boolean): number[][] {
  const looped = A.map((entries, i) => entries.map((a, j) => (i === j ? 1 : a)));
  const rowSum = looped.map((entries) => entries.reduce((sum, a) => sum + a, 0));
  const columnSum = looped.map((_, j) => looped.reduce((sum, entries) => sum + entries[j], 0));
  return looped.map((entries, i) =>
    entries.map((a, j) => (row ? a / rowSum[i] : a / Math.sqrt(columnSum[i] * columnSum[j]))),
  );
}

/** Logits of a GCN, written out with plain loops over dense matrices: `H ← act(Â·H·W + b)`. */
export function denseGcnLogits({ layers, row, linear }: HostGcn, A: readonly number[][], X: number[][]): number[][] {
  const P = denseNormalised(A, row);
  let H = X;
  for (const [l, { weight, bias }] of layers.entries()) {
    const mixed = product(P, product(H, weight)).map((entries) => entries.map((x, c) => x + bias[c]));
    const last = l === layers.length - 1;
    H = last || linear ? mixed : mixed.map((entries) => entries.map((x) => Math.max(x, 0)));
  }
  return H;
}

/** The features of a graph as rows of numbers. */
export function denseFeatures({ features }: Graph): number[][] {
  if (isSparse(features)) return denseOf(features);
  const { numRows, numCols, data } = features;
  return Array.from({ length: numRows }, (_, i) => [...data.slice(i * numCols, (i + 1) * numCols)]);
}

/** The place of the largest entry, the first on ties. */
export function argmax(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

/** Share of `nodes` that a GCN on the host gets right on the graph as it is. */
export function denseAccuracy(model: HostGcn, graph: Graph, nodes: readonly number[]): number {
  const logits = denseGcnLogits(model, denseOf(graph.adjacency), denseFeatures(graph));
  return nodes.filter((node) => argmax(logits[node]) === graph.labels[node]).length / nodes.length;
}

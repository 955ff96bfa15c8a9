import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { Rng } from "../core/rng.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import { generateShape } from "../graph/generate-shape.ts";
import type { Graph } from "../graph/graph.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import { Gcn, type GcnConfig, gcnDefaults } from "../nn/models/gcn.ts";

/** A graph of a known shape, and the configuration of the GCN to train on it. */
export interface EpochCase {
  readonly name: string;
  graph(): Graph;
  readonly config: GcnConfig;
}

const arxivConfig: GcnConfig = { ...gcnDefaults, hidden: [256, 256], batchNorm: true };
const plainConfig: GcnConfig = { ...gcnDefaults, hidden: [256, 256], dropout: 0 };

export const coraCase: EpochCase = { name: "cora_ml", graph: () => syntheticCitation(), config: gcnDefaults };
export const pubmedCase: EpochCase = { name: "pubmed", graph: () => generateShape("pubmed"), config: gcnDefaults };
export const arxivCase: EpochCase = { name: "arxiv", graph: () => generateShape("arxiv"), config: arxivConfig };
/** Half the nodes and half the edges of arxiv, to show how time grows with the graph. */
export const halfArxivCase: EpochCase = {
  name: "arxiv/2",
  graph: () => generateShape(scaleShape(shapeNamed("arxiv"), 0.5)),
  config: arxivConfig,
};

/** The network that PyTorch Geometric is measured with: no batch norm, no dropout. */
export const plainArxivCase: EpochCase = {
  name: "arxiv, plain",
  graph: () => generateShape("arxiv"),
  config: plainConfig,
};
/** Three layers with a hidden width of 256 on 62 million edges, for machines with enough memory. */
export const productsCase: EpochCase = {
  name: "products",
  graph: () => generateShape("products"),
  config: plainConfig,
};

/** The cases of a shape (`arxiv` includes "arxiv, plain"). Without a shape, all cases except `products`. */
export function casesOf<T extends { readonly epochCase: EpochCase }>(
  cases: readonly T[],
  shape?: string,
): readonly T[] {
  if (!shape) return cases.filter(({ epochCase }) => epochCase !== productsCase);
  const chosen = cases.filter(({ epochCase: { name } }) => name === shape || name.split(",")[0] === shape);
  const names = new Set(cases.map(({ epochCase: { name } }) => name.split(",")[0]));
  check(chosen.length > 0, () => `bench: unknown shape "${shape}"; known are ${[...names].join(", ")}`);
  return chosen;
}

/** An untrained model for the case. */
export function caseModel(backend: Backend, graph: Graph, { config }: EpochCase, seed = 0): Gcn {
  return new Gcn(backend, { features: graph.numFeatures, classes: graph.numClasses }, config, new Rng(seed));
}

/** A random split: a tenth of the nodes to train, a tenth to validate, the rest to attack. */
export function caseSplit({ numNodes }: Graph, seed = 0) {
  const order = new Rng(seed).shuffle(Int32Array.from({ length: numNodes }, (_, i) => i));
  const tenth = Math.floor(numNodes / 10);
  return { train: order.slice(0, tenth), val: order.slice(tenth, 2 * tenth), test: order.slice(2 * tenth) };
}

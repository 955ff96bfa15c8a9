import { check, DataError } from "../core/errors.ts";
import { type Csr, checkCsr } from "../graph/csr.ts";
import { type Features, isSparse } from "../graph/graph.ts";
import type { NodeId } from "./node-ids.ts";
import type { Split } from "./splits.ts";

/** What a reader found in its files, before the preprocessing of `preprocess.ts`. */
export interface RawGraph {
  readonly name: string;
  /** What error messages call it: the file or folder. */
  readonly where: string;
  /** As listed: maybe one direction only, maybe with self loops, stored zeros and weights. */
  readonly adjacency: Csr;
  readonly features: Features;
  /** −1 where a node has none. */
  readonly labels: Int32Array;
  /** Default: the number of different labels, which then need not begin at 0. */
  readonly numClasses?: number;
  /** What the classes are called. Default: the labels themselves. */
  readonly classes?: readonly string[];
  /** What the nodes are called. Default: their numbers. */
  readonly ids?: ArrayLike<NodeId>;
  /** Keep all components, unless the user asks otherwise. Default false: only the largest one. */
  readonly allComponents?: boolean;
  /** Keep the directions of edges, unless the user asks otherwise. Default false. */
  readonly directed?: boolean;
  /** What a user should know about how it was read, one line each. */
  readonly notes?: readonly string[];
  /** The file that should hold the published split, if it is missing. */
  readonly missingSplit?: string;
  /** Splits that come with the data, by name. */
  readonly splits?: Readonly<Record<string, Split>>;
}

/** The checks that all readers share: the parts agree, values are finite and labels are plausible. */
export function checkRawGraph(raw: RawGraph): RawGraph {
  const { where, adjacency, features, labels } = raw;
  const numNodes = adjacency.numRows;
  const idOf = (node: number) => raw.ids?.[node] ?? node;
  const fail = (message: string): never => {
    throw new DataError(`${where}: ${message}`);
  };
  if (adjacency.numCols !== numNodes) fail(`adjacency must be square, got ${numNodes} × ${adjacency.numCols}`);
  if (numNodes === 0) fail("must have at least one node");
  checkCsr(adjacency, `${where}: adjacency`);
  if (features.numRows !== numNodes) fail(`features have ${features.numRows} rows for ${numNodes} nodes`);
  if (labels.length !== numNodes) fail(`${labels.length} labels for ${numNodes} nodes`);
  if (raw.ids && raw.ids.length !== numNodes) fail(`${raw.ids.length} node ids for ${numNodes} nodes`);
  checkFinite(features, where, idOf);
  const numClasses = raw.classes?.length ?? raw.numClasses ?? Number.POSITIVE_INFINITY;
  const bad = labels.findIndex((label) => label < -1 || label >= numClasses);
  const range = numClasses === Number.POSITIVE_INFINITY ? "0 or more" : `in 0 … ${numClasses - 1}`;
  if (bad >= 0) fail(`label ${labels[bad]} of node ${idOf(bad)} must be ${range}, or -1 for none`);
  for (const [name, split] of Object.entries(raw.splits ?? {})) checkSplit(split, numNodes, `${where}: split ${name}`);
  return raw;
}

function checkFinite(features: Features, where: string, idOf: (node: number) => NodeId): void {
  const values = isSparse(features) ? features.values : features.data;
  if (!values) return;
  for (let at = 0; at < values.length; at++) {
    if (!Number.isFinite(values[at]))
      throw new DataError(`${where}: feature ${place(features, at, idOf)} is ${values[at]}, must be finite`);
  }
}

function place(features: Features, at: number, idOf: (node: number) => NodeId): string {
  if (!isSparse(features)) return `${at % features.numCols} of node ${idOf(Math.floor(at / features.numCols))}`;
  let row = 0;
  while (features.rowPtr[row + 1] <= at) row++;
  return `${features.colIdx[at]} of node ${idOf(row)}`;
}

/** Throws unless the sets of a split hold nodes of the graph, each at most once. */
export function checkSplit(split: Split, numNodes: number, where: string): void {
  const seen = new Uint8Array(numNodes);
  for (const nodes of [split.train, split.val, split.test]) {
    for (const node of nodes) {
      check(node >= 0 && node < numNodes, () => `${where}: node ${node} must be in 0 … ${numNodes - 1}`, DataError);
      check(seen[node] === 0, () => `${where}: node ${node} is in it twice`, DataError);
      seen[node] = 1;
    }
  }
}

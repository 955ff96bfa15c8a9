import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries } from "../../graph/csr.ts";
import type { Features } from "../../graph/graph.ts";
import { selectRows } from "../../graph/select-rows.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { quote } from "../formats/printable.ts";
import type { NodeId } from "../node-ids.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type Beside, readBeside, splitByIds } from "./beside.ts";
import { adjacencyByIds, adjacencyOf, type ListedEdges, nodesOfEdges, readEdgeList } from "./edge-list.ts";
import { type FeatureFile, readFeatureTable } from "./feature-file.ts";
import type { FileSet } from "./file-set.ts";
import { fileStem } from "./file-stem.ts";
import { type LabelFile, readLabelTable } from "./label-file.ts";
import { noFeatures } from "./no-features.ts";

export interface CsvGraphSources {
  /** What the graph is called. */
  readonly name: string;
  /** `from,to` per line, or `from,to,weight`. */
  readonly edges: ByteSource;
  /** One row of numbers per node, perhaps with an id before it. Without it, a node has no features. */
  readonly features?: ByteSource;
  /** One class per node, perhaps with an id before it. Without it, all are unknown. */
  readonly labels?: ByteSource;
}

/** Reads a graph from tables (csv, tsv, text with spaces, also gzipped): one of edges, and perhaps of features and labels. */
export async function readCsvGraph({ name, edges, features, labels }: CsvGraphSources): Promise<RawGraph> {
  const beside: Beside = {
    ...(features && { features: await readFeatureTable(features) }),
    ...(labels && { labels: await readLabelTable(labels) }),
  };
  return graphOfEdges(name, await readEdgeList(edges), beside);
}

/** The graph of listed edges. Nodes that have names are matched with features and labels by these, others by their place. */
function graphOfEdges(name: string, edges: ListedEdges, { features, labels, split }: Beside): RawGraph {
  const { ids, adjacency } = nodesOf(edges, features, labels);
  const { numRows } = adjacency;
  return {
    name,
    where: edges.where,
    adjacency,
    features: features ? featuresFor(ids, features) : noFeatures(numRows),
    labels: labels ? labelsFor(ids, labels) : new Int32Array(numRows).fill(-1),
    ...(ids && { ids }),
    ...(labels?.classes && { classes: labels.classes }),
    ...(split && { splits: { public: splitByIds(split, ids, numRows, edges.where) } }),
  };
}

interface Nodes {
  readonly adjacency: Csr;
  /** Absent where nodes are the numbers 0, 1, … */
  readonly ids?: readonly NodeId[];
}

/** Which nodes there are: those that have ids in features or labels, else as many as these have rows, else those of the edges. */
function nodesOf(edges: ListedEdges, features?: FeatureFile, labels?: LabelFile): Nodes {
  const ids = features?.ids ?? labels?.ids;
  if (ids) return { ids, adjacency: adjacencyByIds(edges, ids) };
  const count = features?.features.numRows ?? labels?.labels.length;
  const named = typeof edges.sources[0] === "string";
  check(
    count === undefined || !named,
    () =>
      `${edges.where}: nodes have names such as ${quote(String(edges.sources[0]))}, so features and labels need a first column of ids`,
    DataError,
  );
  if (count !== undefined) return { adjacency: adjacencyOf(edges, count) };
  const found = nodesOfEdges(edges);
  if (typeof found !== "number") return { ids: found, adjacency: adjacencyByIds(edges, found) };
  return { adjacency: found === 0 ? csrFromEntries(0, 0, [], []) : adjacencyOf(edges, found) };
}

/** The rows of a file in the order of the nodes; without ids they are in it already. */
function featuresFor(ids: readonly NodeId[] | undefined, file: FeatureFile): Features {
  if (ids === undefined || file.ids === undefined) return file.features;
  const rows = rowsById(file.ids, "features");
  const order = Int32Array.from(ids, (id) => {
    const row = rows.get(id);
    check(row !== undefined, () => `features: there are none of node ${id}`, DataError);
    return row;
  });
  return selectRows(file.features, order);
}

/** Labels in the order of the nodes; a node that a file with ids does not name has none. */
function labelsFor(ids: readonly NodeId[] | undefined, file: LabelFile): Int32Array {
  if (ids === undefined || file.ids === undefined) return file.labels;
  const rows = rowsById(file.ids, "labels");
  const nodes = new Set(ids);
  const unknown = file.ids.find((id) => !nodes.has(id));
  check(unknown === undefined, () => `labels: node ${unknown} is not among the nodes of the features`, DataError);
  return Int32Array.from(ids, (id) => {
    const row = rows.get(id);
    return row === undefined ? -1 : file.labels[row];
  });
}

function rowsById(ids: readonly NodeId[], where: string): Map<NodeId, number> {
  const rows = new Map<NodeId, number>();
  for (const [row, id] of ids.entries()) {
    check(!rows.has(id), () => `${where}: node ${id} is there twice`, DataError);
    rows.set(id, row);
  }
  return rows;
}

/** How the names of edge lists end. */
const ENDINGS = ["csv", "tsv", "txt", "edgelist", "edges"];

/** True where an edge list is among the files: `edges.csv`, `edges.tsv`, … */
export function hasCsvGraph(files: FileSet): boolean {
  return textFile(files, "edges") !== undefined;
}

/** True for the name of an edge list. */
export function isEdgeList(path: string): boolean {
  return new RegExp(`\\.(${ENDINGS.join("|")})(\\.gz)?$`).test(path);
}

/** Reads an edge list, by default the one that is called `edges`, and what lies beside it. */
export async function readCsvFiles(files: FileSet, path = textFile(files, "edges")!): Promise<RawGraph> {
  checkIsEdgeList(path, files.where(path));
  const beside = await readBeside(files, path);
  const source = files.open(path);
  try {
    const name = fileStem(path) === "edges" ? fileStem(files.name) : fileStem(path);
    return graphOfEdges(name, await readEdgeList(source), beside);
  } finally {
    source.close();
  }
}

function textFile(files: FileSet, stem: string): string | undefined {
  const paths = ENDINGS.flatMap((ending) => [`${stem}.${ending}`, `${stem}.${ending}.gz`]);
  return paths.find((path) => files.has(path));
}

/** Throws for the other files of a graph, beside which its edges should be. */
function checkIsEdgeList(path: string, where: string): void {
  const part = /(^|\.)(features|labels|nodes)$/.exec(fileStem(path))?.[2];
  check(
    part === undefined,
    () =>
      `${where}: holds ${part}; a graph as csv is a folder with edges.csv and, beside it, features.csv and labels.csv`,
    DataError,
  );
}

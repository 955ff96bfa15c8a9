import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type Beside, readBeside } from "./beside.ts";
import type { FileSet } from "./file-set.ts";
import { fileStem } from "./file-stem.ts";
import { graphOfEdges } from "./graph-of-edges.ts";
import { readEdgeTable, readFeatureTable, readLabelTable } from "./tables.ts";

/** Where the parts of a graph are, as csv or parquet. */
export interface CsvGraphSources {
  /** What the graph is called. */
  readonly name: string;
  /** `from,to` per row, or `from,to,weight`. */
  readonly edges: ByteSource;
  /** One row of numbers per node, perhaps with an id before it. Without this file, nodes have no features. */
  readonly features?: ByteSource;
  /** One class per node, perhaps with an id before it. Without this file, all classes are unknown. */
  readonly labels?: ByteSource;
}

/** Reads a graph from tables (csv, tsv, text with spaces, also gzipped, and parquet): one of edges, and perhaps of features and labels. */
export async function readCsvGraph({ name, edges, features, labels }: CsvGraphSources): Promise<RawGraph> {
  const beside: Beside = {
    ...(features && { features: await readFeatureTable(features) }),
    ...(labels && { labels: await readLabelTable(labels) }),
  };
  return graphOfEdges(name, await readEdgeTable(edges), beside);
}

/** Endings of the names of edge lists. */
const ENDINGS = [...["csv", "tsv", "txt", "edgelist", "edges"].flatMap((text) => [text, `${text}.gz`]), "parquet"];

/** True where an edge list is among the files: `edges.csv`, `edges.tsv`, … */
export function hasCsvGraph(files: FileSet): boolean {
  return tableFile(files, "edges") !== undefined;
}

/** True for the name of an edge list. */
export function isEdgeList(path: string): boolean {
  return ENDINGS.some((ending) => path.endsWith(`.${ending}`));
}

/** Reads an edge list, by default the one that is called `edges`, and what lies beside it. */
export async function readCsvFiles(files: FileSet, path = tableFile(files, "edges")!): Promise<RawGraph> {
  checkIsEdgeList(path, files.where(path));
  const beside = await readBeside(files, path);
  const source = files.open(path);
  try {
    const name = fileStem(path) === "edges" ? fileStem(files.name) : fileStem(path);
    return graphOfEdges(name, await readEdgeTable(source), beside);
  } finally {
    source.close();
  }
}

function tableFile(files: FileSet, stem: string): string | undefined {
  return ENDINGS.map((ending) => `${stem}.${ending}`).find((path) => files.has(path));
}

/** Throws if the name is that of another file of a graph, such as `features.csv`; edges should lie beside it. */
function checkIsEdgeList(path: string, where: string): void {
  const part = /(^|\.)(features|labels|nodes)$/.exec(fileStem(path))?.[2];
  check(
    part === undefined,
    () =>
      `${where}: holds ${part}; a graph as csv is a folder with edges.csv and, beside it, features.csv and labels.csv (or .parquet)`,
    DataError,
  );
}

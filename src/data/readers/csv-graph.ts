import { DataError } from "../../core/errors.ts";
import type { Features } from "../../graph/graph.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { readNumbers } from "../formats/csv-numbers.ts";
import type { RawGraph } from "../raw-graph.ts";
import { labelColumn, readEdgeList } from "./edge-list.ts";
import type { FileSet } from "./file-set.ts";
import { fileStem, lastPart } from "./file-stem.ts";

/** Where the parts of a graph are, as csv. */
export interface CsvGraphSources {
  /** What the graph is called. */
  readonly name: string;
  /** `from,to` per line. */
  readonly edges: ByteSource;
  /** One row of numbers per node. Without it, a node has no features. */
  readonly features?: ByteSource;
  /** One class per node. Without it, all are unknown. */
  readonly labels?: ByteSource;
}

/** Reads a graph from csv (also csv.gz), one source for edges and where there are any one for features and labels. */
export async function readCsvGraph(sources: CsvGraphSources): Promise<RawGraph> {
  const { name, edges } = sources;
  const dense = sources.features ? await readNumbers(sources.features, { single: true }) : undefined;
  const labels = sources.labels ? labelColumn(await readNumbers(sources.labels), sources.labels.name) : undefined;
  const adjacency = await readEdgeList(edges, dense?.numRows ?? labels?.length);
  const { numRows } = adjacency;
  const features: Features = dense
    ? { ...dense, data: dense.data as Float32Array }
    : { numRows, numCols: 0, data: new Float32Array(0) };
  return { name, where: edges.name, adjacency, features, labels: labels ?? new Int32Array(numRows).fill(-1) };
}

/** True where `edges.csv` or `edges.csv.gz` is among the files. */
export function hasCsvGraph(files: FileSet): boolean {
  return csvFile(files, "edges") !== undefined;
}

/** Reads `edges`, `features` and `labels` (.csv or .csv.gz), of which only the first must be there. */
export async function readCsvFiles(files: FileSet): Promise<RawGraph> {
  const opened: Record<string, ByteSource> = {};
  try {
    for (const part of ["edges", "features", "labels"]) {
      const path = csvFile(files, part);
      if (path !== undefined) opened[part] = files.open(path);
    }
    const { edges, features, labels } = opened;
    const name = fileStem(files.name);
    return await readCsvGraph({ name, edges, ...(features && { features }), ...(labels && { labels }) });
  } finally {
    for (const source of Object.values(opened)) source.close();
  }
}

function csvFile(files: FileSet, stem: string): string | undefined {
  return [`${stem}.csv`, `${stem}.csv.gz`].find((path) => files.has(path));
}

/** Throws unless a csv file is the edge list of a graph, beside which features and labels are looked for. */
export function checkIsEdgeList(path: string, where: string): void {
  if (/^edges\.csv(\.gz)?$/.test(lastPart(path))) return;
  throw new DataError(
    `${where}: a graph as csv is a folder with edges.csv and, beside it, features.csv and labels.csv`,
  );
}

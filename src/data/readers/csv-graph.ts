import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DataError } from "../../core/errors.ts";
import type { Features } from "../../graph/graph.ts";
import { readNumbers } from "../formats/csv-numbers.ts";
import type { RawGraph } from "../raw-graph.ts";
import { labelColumn, readEdgeList } from "./edge-list.ts";
import { fileStem } from "./file-stem.ts";

export interface CsvGraphFiles {
  /** `from,to` per line. */
  readonly edges: string;
  /** One row of numbers per node. Without it, a node has no features. */
  readonly features?: string;
  /** One class per node. Without it, all are unknown. */
  readonly labels?: string;
}

/** Reads a graph from csv files (also csv.gz), one for edges and where there are any one for features and labels. */
export async function readCsvGraph(files: CsvGraphFiles): Promise<RawGraph> {
  const dense = files.features ? await readNumbers(files.features, { single: true }) : undefined;
  const labels = files.labels ? labelColumn(await readNumbers(files.labels), files.labels) : undefined;
  const adjacency = await readEdgeList(files.edges, dense?.numRows ?? labels?.length);
  const { numRows } = adjacency;
  const features: Features = dense
    ? { ...dense, data: dense.data as Float32Array }
    : { numRows, numCols: 0, data: new Float32Array(0) };
  return {
    name: fileStem(dirname(files.edges)),
    where: files.edges,
    adjacency,
    features,
    labels: labels ?? new Int32Array(numRows).fill(-1),
  };
}

/** The files `edges`, `features` and `labels` (.csv or .csv.gz) of a folder, if it has edges. */
export function csvGraphFiles(folder: string): CsvGraphFiles | undefined {
  const find = (stem: string) =>
    ["csv", "csv.gz"].map((ending) => join(folder, `${stem}.${ending}`)).find((path) => existsSync(path));
  const edges = find("edges");
  const features = find("features");
  const labels = find("labels");
  return edges ? { edges, ...(features && { features }), ...(labels && { labels }) } : undefined;
}

/** The graph whose edge list is `path`; features and labels are looked for beside it. */
export function besideEdges(path: string): CsvGraphFiles {
  if (!/^edges\.csv(\.gz)?$/.test(path.slice(dirname(path).length).replace(/^[/\\]/, ""))) {
    throw new DataError(
      `${path}: a graph as csv is a folder with edges.csv and, beside it, features.csv and labels.csv`,
    );
  }
  return csvGraphFiles(dirname(path))!;
}

import { check, DataError } from "../../core/errors.ts";
import { type Graph, isSparse } from "../../graph/graph.ts";
import { sparseRows } from "../../graph/sparse-rows.ts";
import { formatCsvFiles } from "./csv-files.ts";
import type { GraphContext } from "./graph-context.ts";
import { formatGraphMl } from "./graphml.ts";
import { listGraph } from "./listed-graph.ts";
import { formatMatrixMarket } from "./matrix-market.ts";
import { formatNodeLink } from "./node-link.ts";
import { formatNpzGraph, formatPygNpz } from "./npz-graph.ts";
import { formatTorchGraph } from "./torch-graph.ts";

/** Files to write, by path. */
export type GraphFiles = Readonly<Record<string, Uint8Array | string>>;

/** What can be written, for errors and help texts. */
export const WRITABLE =
  ".npz, .pyg.npz (for PyTorch Geometric), .pt, .graphml, .json (node-link), .mtx, .csv, .parquet, or a folder that ends in /";

/**
 * The files of a graph in the format of the ending of `path`. Text formats may take several files. Parquet is written
 * by `formatParquetFiles`.
 */
export function formatGraph(graph: Graph, context: GraphContext, path: string): GraphFiles {
  if (path.endsWith(".pyg.npz")) return { [path]: formatPygNpz(graph, context) };
  if (path.endsWith(".npz")) return { [path]: formatNpzGraph(graph, context) };
  if (path.endsWith(".pt")) return { [path]: formatTorchGraph(graph, context) };
  if (path.endsWith(".graphml")) return { [path]: formatGraphMl(listGraph(graph, context)) };
  if (path.endsWith(".json")) return { [path]: formatNodeLink(listGraph(graph, context)) };
  if (path.endsWith(".mtx")) return matrixFiles(graph, context, path);
  if (path.endsWith(".csv")) return tables(graph, context, path, path.replace(/\.csv$/, "."));
  if (/[/\\]$/.test(path)) return tables(graph, context, `${path}edges.csv`, path);
  check(!path.endsWith(".parquet"), () => `${path}: parquet is written by formatParquetFiles`);
  throw new DataError(`${path}: this format is not written; it can be ${WRITABLE}`);
}

function tables(graph: Graph, context: GraphContext, edgesPath: string, prefix: string): GraphFiles {
  const { edges, features, labels, split } = formatCsvFiles(listGraph(graph, context));
  return {
    [edgesPath]: edges,
    [`${prefix}features.csv`]: features,
    [`${prefix}labels.csv`]: labels,
    ...(split !== undefined && { [`${prefix}split.json`]: split }),
  };
}

function matrixFiles(graph: Graph, context: GraphContext, path: string): GraphFiles {
  const { adjacency, features } = graph;
  const prefix = path.replace(/mtx$/, "");
  const { labels, split } = formatCsvFiles(listGraph(graph, context));
  return {
    [path]: formatMatrixMarket(adjacency),
    [`${prefix}features.mtx`]: formatMatrixMarket(isSparse(features) ? features : sparseRows(features)),
    [`${prefix}labels.csv`]: labels,
    ...(split !== undefined && { [`${prefix}split.json`]: split }),
  };
}

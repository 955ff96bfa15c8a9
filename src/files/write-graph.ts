import { formatGraph } from "../data/writers/format-graph.ts";
import type { GraphContext } from "../data/writers/graph-context.ts";
import { formatParquetFiles } from "../data/writers/parquet-files.ts";
import type { Graph } from "../graph/graph.ts";
import { writeAtomically } from "./write-atomically.ts";

/**
 * Writes a graph in the format that the ending of `path` asks for; see `formatGraph`. Each file is written whole or not
 * at all. Returns the paths of the files.
 */
export async function writeGraph(graph: Graph, path: string, context: GraphContext = {}): Promise<string[]> {
  const isParquet = path.endsWith(".parquet"); // loading its package takes a while, so that happens only if needed
  const files = isParquet ? await formatParquetFiles(graph, context, path) : formatGraph(graph, context, path);
  for (const [file, content] of Object.entries(files)) await writeAtomically(file, content);
  return Object.keys(files);
}

import { formatNpzGraph, type GraphContext } from "../data/writers/npz-graph.ts";
import type { Graph } from "../graph/graph.ts";
import { writeAtomically } from "./write-atomically.ts";

/** Writes a graph as .npz in the layout of `formatNpzGraph`. The file is there whole or not at all. */
export async function writeGraph(graph: Graph, path: string, context: GraphContext = {}): Promise<void> {
  await writeAtomically(path, formatNpzGraph(graph, context));
}

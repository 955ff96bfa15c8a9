import type { Graph } from "../graph/graph.ts";
import { type LoadOptions, loadGraph } from "./load.ts";
import { checkWritable } from "./write-atomically.ts";
import { writeGraph } from "./write-graph.ts";

/** The result of {@link convertGraph}. */
export interface ConvertedGraph {
  readonly graph: Graph;
  readonly files: readonly string[];
  /** What was left out or replaced, one line each. */
  readonly notes: readonly string[];
}

/** Reads a graph and writes it, with all of its nodes, in the format that the ending of `to` asks for. */
export async function convertGraph(from: string, to: string, options: LoadOptions = {}): Promise<ConvertedGraph> {
  await checkWritable(/[/\\]$/.test(to) ? `${to}edges.csv` : to);
  const { graph, ids, classes, splits = {}, notes } = await loadGraph(from, { allComponents: true, ...options });
  const files = await writeGraph(graph, to, { ids, classes, splits });
  return { graph, files, notes: [...notes, ...notKept(to, ids.areNames, Object.keys(splits).length)] };
}

/** Notes on what the format of `to` cannot store. */
function notKept(to: string, named: boolean, numSplits: number): string[] {
  const whole = to.endsWith(".npz");
  const notes: string[] = [];
  if (to.endsWith(".pt") && named) notes.push(`${to}: keeps no names of nodes`);
  if (!whole && !to.endsWith(".pt") && numSplits > 1) notes.push(`${to}: keeps no splits, for there are ${numSplits}`);
  return notes;
}

import { UserError } from "../../core/errors.ts";
import type { Graph } from "../../graph/graph.ts";
import type { CatalogueEntry } from "./catalogue.ts";

type CountedGraph = Pick<Graph, "directed" | "numNodes" | "numEntries" | "numFeatures" | "numClasses">;

/** Throws unless a graph, read from `where`, has the published counts of a known dataset. */
export function checkStatistics(entry: CatalogueEntry, graph: CountedGraph, where: string): void {
  const { numEntries, ...counts } = entry.undirected;
  const entries = graph.directed ? entry.directedEntries : numEntries;
  const expected = { ...counts, ...(entries !== undefined && { numEntries: entries }) };
  for (const [key, value] of Object.entries(expected)) {
    const got = graph[key as keyof typeof expected];
    if (got !== value)
      throw new UserError(
        `${where}: ${key} is ${got}, but ${entry.name} has ${value}; is it another version of the data?`,
      );
  }
}

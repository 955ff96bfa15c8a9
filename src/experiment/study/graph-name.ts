import type { GraphDescription } from "./run-description.ts";

/**
 * Name of a graph in tables, with options of reading it that are not the default, as in `cora_ml directed
 * adjacency=links`.
 */
export function graphName({ dataset, sha256: _, ...read }: GraphDescription): string {
  const choices = Object.entries(read).filter(([, value]) => value !== undefined && value !== false);
  return [dataset, ...choices.map(([name, value]) => (value === true ? name : `${name}=${value}`))].join(" ");
}

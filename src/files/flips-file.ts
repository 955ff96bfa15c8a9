import { readFileSync } from "node:fs";
import { check, DataError } from "../core/errors.ts";
import { checkFlips, type Flips, flipActions } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";
import { writeAtomically } from "./write-atomically.ts";

const HEADER = "source,target,action";

/** Writes flips as csv, one `source,target,action` per line with action `add` or `remove`. */
export async function writeFlips(file: string, graph: Graph, flips: Flips): Promise<void> {
  const actions = flipActions(graph, flips);
  const lines = actions.map((action, k) => `${flips.sources[k]},${flips.targets[k]},${action}`);
  await writeAtomically(file, [HEADER, ...lines, ""].join("\n"));
}

/** Reads flips back and checks each against the graph: it must name a pair that is there to remove, or not there to add. */
export function readFlips(file: string, graph: Graph): Flips {
  const [header, ...lines] = textOf(file).trimEnd().split("\n");
  check(header === HEADER, () => `${file}: first line must be "${HEADER}", got "${header}"`, DataError);
  const rows = lines.map((line, k) => {
    const match = /^(\d+),(\d+),(add|remove)$/.exec(line);
    check(match !== null, () => `${file}: line ${k + 2} must be source,target,add or remove, got "${line}"`, DataError);
    return match;
  });
  const flips = {
    sources: Int32Array.from(rows, (row) => Number(row[1])),
    targets: Int32Array.from(rows, (row) => Number(row[2])),
  };
  checkFlips(graph, flips);
  for (const [k, action] of flipActions(graph, flips).entries()) {
    check(
      action === rows[k][3],
      () => `${file}: line ${k + 2} says ${rows[k][3]}, but on ${graph.name} that pair would be "${action}"`,
      DataError,
    );
  }
  return flips;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new DataError(
      `${file}: cannot be read (${(error as NodeJS.ErrnoException).code}); is it there, and yours to read?`,
    );
  }
}

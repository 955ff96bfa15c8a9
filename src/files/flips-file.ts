import { check, DataError } from "../core/errors.ts";
import { formatCsvLine, parseCsvLine } from "../data/formats/csv-line.ts";
import { NodeIds } from "../data/node-ids.ts";
import { checkFlips, type Flips, flipActions } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";
import { linesOf, nodeIn } from "./id-lines.ts";
import { writeAtomically } from "./write-atomically.ts";

const HEADER = "source,target,action";

/**
 * Writes flips as csv, one `source,target,action` per line with action `add` or `remove`. Nodes are written with their
 * ids in the input; without `ids`, with their numbers in the graph.
 */
export async function writeFlips(file: string, graph: Graph, flips: Flips, ids = numbersOf(graph)): Promise<void> {
  const actions = flipActions(graph, flips);
  const lines = actions.map((action, k) =>
    formatCsvLine([ids.idOf(flips.sources[k]), ids.idOf(flips.targets[k]), action]),
  );
  await writeAtomically(file, [HEADER, ...lines, ""].join("\n"));
}

/** Reads flips back and checks each against the graph: `remove` needs an edge that exists, `add` one that does not. */
export function readFlips(file: string, graph: Graph, ids = numbersOf(graph)): Flips {
  const [header, ...lines] = linesOf(file);
  check(header === HEADER, () => `${file}: first line must be "${HEADER}", got "${header}"`, DataError);
  const actions: string[] = [];
  const sources = new Int32Array(lines.length);
  const targets = new Int32Array(lines.length);
  for (const [k, line] of lines.entries()) {
    const fields = parseCsvLine(line);
    const whole = fields?.length === 3 && (fields[2] === "add" || fields[2] === "remove");
    check(whole, () => `${file}: line ${k + 2} must be source,target,add or remove, got "${line}"`, DataError);
    sources[k] = nodeIn(file, k + 2, fields[0], ids);
    targets[k] = nodeIn(file, k + 2, fields[1], ids);
    actions.push(fields[2]);
  }
  const flips = { sources, targets };
  checkFlips(graph, flips);
  for (const [k, action] of flipActions(graph, flips).entries()) {
    check(
      action === actions[k],
      () => `${file}: line ${k + 2} says ${actions[k]}, but on ${graph.name} that pair would be "${action}"`,
      DataError,
    );
  }
  return flips;
}

function numbersOf(graph: Graph): NodeIds {
  return NodeIds.numbered(graph.numNodes, graph.name);
}

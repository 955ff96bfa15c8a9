import { check } from "../core/errors.ts";
import { parseCsvLine } from "../data/formats/csv-line.ts";
import type { Session } from "../experiment/session.ts";

/** The nodes that a list such as `0,5,9` names by their ids in the input; each must have a label. */
export function parseNodes(text: string, { ids, graph }: Session): Int32Array {
  const names = parseCsvLine(text);
  const listed = names?.every((name) => (ids.areNames ? name !== "" : /^\d+$/.test(name)));
  check(names !== undefined && listed === true, () => `--nodes must be test or a list such as 0,5,9, got "${text}"`);
  const twice = names.find((name, k) => names.indexOf(name) !== k);
  check(twice === undefined, () => `--nodes names node ${twice} twice; name each once`);
  const nodes = ids.nodesOf(names);
  const unlabelled = nodes.find((node) => graph.labels[node] < 0);
  check(unlabelled === undefined, () => `node ${ids.idOf(unlabelled!)} has no label; choose labelled nodes`);
  return nodes;
}

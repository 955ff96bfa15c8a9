import { check } from "../core/errors.ts";
import { parseCsvLine } from "../data/formats/csv-line.ts";
import type { NodeSession } from "../experiment/node-session.ts";

/** Sets of nodes that can be asked for by name. */
const NAMED = ["test", "train", "val", "all"] as const;
export type NamedNodes = (typeof NAMED)[number];

/** The nodes that a flag names: a set, or ids such as `0,5,9`. */
export function nodeList(
  session: NodeSession,
  seed: number,
  text: string,
  sets: readonly NamedNodes[],
  flag = "--nodes",
): Int32Array {
  const named = NAMED.find((set) => set === text);
  check(
    text !== "" && (named === undefined || sets.includes(named)),
    () => `${flag} must be ${sets.join(", ")} or a list such as 0,5,9, got "${text}"`,
  );
  if (named === "all") return Int32Array.from({ length: session.graph.numNodes }, (_, node) => node);
  if (named) return session.split(seed)[named];
  const { ids } = session;
  const nodes = (parseCsvLine(text) ?? [text]).map((id) => ids.nodeOf(id));
  const twice = nodes.find((node, k) => nodes.indexOf(node) !== k);
  check(twice === undefined, () => `${flag} names node ${ids.idOf(twice!)} twice; name each once`);
  return Int32Array.from(nodes);
}

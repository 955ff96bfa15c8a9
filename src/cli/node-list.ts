import { check, UserError } from "../core/errors.ts";
import type { Session } from "../experiment/session.ts";
import { idsOf } from "../experiment/session-ids.ts";

/** Sets of nodes that can be asked for by name. */
export type NamedNodes = "test" | "train" | "val" | "all";

/** The nodes that `--nodes` names: a set, or ids such as `0,5,9`. */
export function nodeList(session: Session, seed: number, text: string, sets: readonly NamedNodes[]): Int32Array {
  const named = sets.find((set) => set === text);
  if (named === "all") return Int32Array.from({ length: session.graph.numNodes }, (_, node) => node);
  if (named) return session.split(seed)[named];
  const ids = idsOf(session);
  const forms = `--nodes must be ${sets.join(", ")} or a list such as 0,5,9`;
  const nodes = text.split(",").map((id) => {
    try {
      return ids.nodeOf(id);
    } catch (error) {
      throw error instanceof UserError ? new UserError(`${forms}; ${error.message}`) : error;
    }
  });
  const twice = nodes.find((node, k) => nodes.indexOf(node) !== k);
  check(twice === undefined, () => `--nodes names node ${ids.idOf(twice!)} twice; name each once`);
  return Int32Array.from(nodes);
}

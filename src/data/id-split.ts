import { check, DataError } from "../core/errors.ts";
import { parseJson } from "./formats/json.ts";
import { toIds } from "./formats/npy-cast.ts";
import type { Npz } from "./formats/npz.ts";
import type { NodeId, NodeIds } from "./node-ids.ts";
import type { Split } from "./splits.ts";

/** A split that names nodes by the ids of the input. */
export interface IdSplit {
  readonly train: readonly NodeId[];
  readonly val: readonly NodeId[];
  readonly test: readonly NodeId[];
}

/** What the sets may be called in a file. */
const NAMES = {
  train: ["train", "idx_train"],
  val: ["val", "valid", "idx_val"],
  test: ["test", "idx_test"],
} as const;

/** The split of a JSON object with lists `train`, `val` and `test` (or `idx_train`, …). */
export function idSplitOfJson(bytes: Uint8Array, where: string): IdSplit {
  const sets = parseJson(bytes, where);
  const isObject = typeof sets === "object" && sets !== null && !Array.isArray(sets);
  check(isObject, () => `${where}: must be an object with train, val and test`, DataError);
  const named = new Map<string, unknown>(Object.entries(sets));
  const list = (set: keyof typeof NAMES): NodeId[] => {
    const name = nameOf(set, (candidate) => named.has(candidate), where);
    const ids = named.get(name);
    const valid = Array.isArray(ids) && ids.every((id) => typeof id === "string" || Number.isSafeInteger(id));
    check(valid, () => `${where}: ${name} must be a list of node ids`, DataError);
    return ids;
  };
  return { train: list("train"), val: list("val"), test: list("test") };
}

/** The split of an .npz file with arrays of the same names. */
export function idSplitOfNpz(npz: Npz): IdSplit {
  const list = (set: keyof typeof NAMES): NodeId[] => {
    const name = nameOf(set, (candidate) => npz.has(candidate), npz.name);
    return toIds(npz.array(name), npz.where(name));
  };
  return { train: list("train"), val: list("val"), test: list("test") };
}

function nameOf(set: keyof typeof NAMES, has: (name: string) => boolean, where: string): string {
  const name = NAMES[set].find(has);
  check(name !== undefined, () => `${where}: has no ${set} nodes; it needs train, val and test`, DataError);
  return name;
}

/**
 * Turns the ids of a split into nodes. Nodes outside the largest component are skipped, with a note for each set that
 * has some.
 */
export function resolveSplit(split: IdSplit, ids: NodeIds, where: string): { split: Split; notes: string[] } {
  const notes: string[] = [];
  const seen = new Set<number>();
  const nodesOf = (set: keyof IdSplit): Int32Array => {
    const kept = split[set].filter((id) => !ids.wasLeftOut(id));
    const left = split[set].length - kept.length;
    if (left > 0)
      notes.push(`${where}: ${left} of ${split[set].length} ${set} nodes are outside the largest component`);
    const nodes = ids.nodesOf(kept);
    for (const node of nodes) {
      check(!seen.has(node), () => `${where}: node ${ids.idOf(node)} is in it twice`, DataError);
      seen.add(node);
    }
    return nodes;
  };
  return { split: { train: nodesOf("train"), val: nodesOf("val"), test: nodesOf("test") }, notes };
}

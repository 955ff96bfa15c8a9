import { check, DataError } from "../core/errors.ts";
import { readAndClose } from "../data/formats/byte-source.ts";
import { parseJson } from "../data/formats/json.ts";
import { toIds } from "../data/formats/npy-cast.ts";
import { npzFrom } from "../data/formats/npz.ts";
import type { NodeId, NodeIds } from "../data/node-ids.ts";
import type { Split } from "../data/splits.ts";
import { fileSource, readWhole } from "./file-source.ts";

/** A split of a file, and a line for each set of which nodes were left out. */
export interface SplitFile {
  readonly split: Split;
  readonly notes: readonly string[];
}

/** What the sets may be called. */
const NAMES = {
  train: ["train", "idx_train"],
  val: ["val", "valid", "idx_val"],
  test: ["test", "idx_test"],
} as const;

/**
 * Reads a split from .json or .npz: `train`, `val` and `test` (or `idx_train`, …), each a list of ids of the input. Nodes that
 * were left out of the graph leave the split; ids that the input does not have are an error.
 */
export function readSplitFile(path: string, ids: NodeIds): SplitFile {
  const lists = path.endsWith(".json") ? listsOfJson(path) : listsOfNpz(path);
  const notes: string[] = [];
  const seen = new Set<number>();
  const nodesOf = (set: keyof typeof NAMES): Int32Array => {
    const kept = lists(set).filter((id) => !ids.wasLeftOut(id));
    const left = lists(set).length - kept.length;
    if (left > 0) notes.push(`${path}: ${left} of ${lists(set).length} ${set} nodes are outside the largest component`);
    const nodes = ids.nodesOf(kept);
    for (const node of nodes) {
      check(!seen.has(node), () => `${path}: node ${ids.idOf(node)} is in it twice`, DataError);
      seen.add(node);
    }
    return nodes;
  };
  return { split: { train: nodesOf("train"), val: nodesOf("val"), test: nodesOf("test") }, notes };
}

type Lists = (set: keyof typeof NAMES) => NodeId[];

function listsOfJson(path: string): Lists {
  const sets = parseJson(readWhole(path), path);
  const isObject = typeof sets === "object" && sets !== null && !Array.isArray(sets);
  check(isObject, () => `${path}: must be an object with train, val and test`, DataError);
  const named = new Map(Object.entries(sets));
  return (set) => {
    const name = nameOf(set, (candidate) => named.has(candidate), path);
    const list = named.get(name);
    const valid = Array.isArray(list) && list.every((id) => typeof id === "string" || Number.isSafeInteger(id));
    check(valid, () => `${path}: ${name} must be a list of node ids`, DataError);
    return list as NodeId[];
  };
}

function listsOfNpz(path: string): Lists {
  const read = new Map<string, NodeId[]>();
  readAndClose(fileSource(path), (source) => {
    const npz = npzFrom(source);
    for (const set of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
      const name = nameOf(set, (candidate) => npz.has(candidate), path);
      read.set(set, toIds(npz.array(name), npz.where(name)));
    }
  });
  return (set) => read.get(set)!;
}

function nameOf(set: keyof typeof NAMES, has: (name: string) => boolean, path: string): string {
  const name = NAMES[set].find(has);
  check(name !== undefined, () => `${path}: has no ${set} nodes; it needs train, val and test`, DataError);
  return name;
}

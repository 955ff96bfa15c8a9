import { createHash } from "node:crypto";
import type { NodeId, NodeIds } from "../data/node-ids.ts";
import type { Split } from "../data/splits.ts";

/**
 * sha256 of a split: for each set its name and the sorted ids of its nodes in the input, one per line. It depends
 * neither on the order within a set nor on how the graph numbers its nodes.
 */
export function splitHash({ train, val, test }: Split, ids: NodeIds): string {
  const hash = createHash("sha256");
  for (const [set, nodes] of Object.entries({ train, val, test })) {
    hash.update(`${set}\n`);
    for (const id of ids.idsOf(nodes).sort(ascending)) hash.update(`${id}\n`);
  }
  return hash.digest("hex");
}

function ascending(a: NodeId, b: NodeId): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a < b ? -1 : 1;
}

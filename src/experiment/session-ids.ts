import { check } from "../core/errors.ts";
import type { NodeId } from "../files/split-hash.ts";
import type { Session } from "./session.ts";

/** Between the numbers of nodes in a graph and what the input calls them, which is all that a user sees. */
export interface SessionIds {
  idOf(node: number): NodeId;
  nodeOf(id: NodeId): number;
  idsOf(nodes: ArrayLike<number>): NodeId[];
}

/** The ids of a session's nodes. A node is called by its number as yet. */
export function idsOf({ graph }: Pick<Session, "graph">): SessionIds {
  return {
    idOf: (node) => node,
    nodeOf(id) {
      const node = /^\d+$/.test(String(id)) ? Number(id) : -1;
      check(
        node >= 0 && node < graph.numNodes,
        () => `${graph.name} has no node "${id}"; ids are 0 … ${graph.numNodes - 1}`,
      );
      return node;
    },
    idsOf: (nodes) => Array.from(nodes),
  };
}

import { countAllowed } from "../attack/constraints/allowed-pairs.ts";
import type { ConstraintRules } from "../attack/constraints/constraints.ts";
import { Constraints } from "../attack/constraints/constraints.ts";
import type { Graph } from "../graph/graph.ts";

/** What reports say of constraints: rules as they were given, sets by their sizes. */
export interface ConstraintFacts {
  readonly only: "additions" | "removals" | null;
  /** Most flips at a node, as a share of its degree; "list" where each node has a number of its own. */
  readonly perNode: number | "list" | null;
  readonly protectedNodes: number;
  readonly protectedEdges: number;
  readonly between: readonly [number, number] | null;
  /** Number of pairs that may be flipped, each considered alone. */
  readonly allowedPairs: number;
}

export function constraintFacts(graph: Graph, rules: ConstraintRules): ConstraintFacts {
  const { only, perNode, protectedNodes, protectedEdges, between } = rules;
  return {
    only: only ?? null,
    perNode: typeof perNode === "object" ? "list" : (perNode ?? null),
    protectedNodes: protectedNodes?.length ?? 0,
    protectedEdges: protectedEdges?.sources.length ?? 0,
    between: between ? [between[0].length, between[1].length] : null,
    allowedPairs: countAllowed(new Constraints(graph, rules)),
  };
}

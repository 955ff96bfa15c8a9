import fc from "fast-check";
import type { ConstraintRules } from "../../src/attack/constraints/constraints.ts";
import { Rng } from "../../src/core/rng.ts";
import type { Graph } from "../../src/graph/graph.ts";

/** What {@link rulesFor} makes rules from, whatever the graph. */
export interface RulesChoice {
  readonly only: "additions" | "removals" | null;
  readonly protectedNodes: number;
  readonly protectedEdges: number;
  readonly between: readonly [number, number] | null;
  readonly perNode: number | "list" | null;
  readonly seed: number;
}

/** Every rule by itself and with others; shares of the nodes, as the graph is not known yet. */
export const anyRules: fc.Arbitrary<RulesChoice> = fc.record({
  only: fc.constantFrom(null, null, "additions", "removals"),
  protectedNodes: fc.constantFrom(0, 0, 0.2),
  protectedEdges: fc.constantFrom(0, 0, 0.3),
  between: fc.constantFrom(null, null, [0.3, 0.5] as const, [0.8, 1] as const),
  perNode: fc.constantFrom<RulesChoice["perNode"]>(null, null, 0.5, 1, "list"),
  seed: fc.nat(1e6),
});

/** The rules for a graph, with nodes and pairs drawn at random. */
export function rulesFor({ numNodes, directed }: Graph, choice: RulesChoice): ConstraintRules {
  const rng = new Rng(choice.seed);
  const some = (share: number) => Array.from({ length: numNodes }, (_, i) => i).filter(() => rng.uniform() < share);
  const { only, between, perNode } = choice;
  const sources: number[] = [];
  const targets: number[] = [];
  for (let i = 0; i < numNodes; i++) {
    for (let j = directed ? 0 : i + 1; j < numNodes; j++) {
      if (i === j || rng.uniform() >= choice.protectedEdges) continue;
      sources.push(i);
      targets.push(j);
    }
  }
  return {
    ...(only && { only }),
    ...(choice.protectedNodes > 0 && { protectedNodes: some(choice.protectedNodes) }),
    ...(sources.length > 0 && {
      protectedEdges: { sources: Int32Array.from(sources), targets: Int32Array.from(targets) },
    }),
    ...(between && { between: [some(between[0]), some(between[1])] as const }),
    ...(perNode !== null && {
      perNode: perNode === "list" ? Int32Array.from({ length: numNodes }, () => rng.integer(3)) : perNode,
    }),
  };
}

/** All pairs of a graph, in ascending order. */
export function allPairs({ numNodes, directed }: Graph): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < numNodes; i++) {
    for (let j = directed ? 0 : i + 1; j < numNodes; j++) if (i !== j) pairs.push([i, j]);
  }
  return pairs;
}

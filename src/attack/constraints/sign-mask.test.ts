import fc from "fast-check";
import { expect, test } from "vitest";
import { allPairs, anyRules, rulesFor } from "../../../test/support/any-constraints.ts";
import { anyGraph, randomGraph } from "../../../test/support/any-graph.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { hasEntry } from "../../graph/csr.ts";
import type { Graph } from "../../graph/graph.ts";
import { toDevice } from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { Allowance } from "./allowance.ts";
import { Constraints } from "./constraints.ts";
import { SignMask } from "./sign-mask.ts";

/** The signs of all pairs of a graph after a mask. */
async function signsAfter(graph: Graph, constraints: Constraints, change: (mask: SignMask) => void = () => {}) {
  const backend = createReference();
  const view = toDevice(backend, graph);
  const pairs = allPairs(graph);
  const block = blockOfFlips(view, {
    sources: Int32Array.from(pairs, ([i]) => i),
    targets: Int32Array.from(pairs, ([, j]) => j),
  });
  const before = backend.memory.current;
  const mask = new SignMask(view, constraints);
  change(mask);
  mask.apply(block.signs.buffer, block.pairs);
  const signs = [...(await block.signs.read())];
  mask.dispose();
  expect(backend.memory.current).toBe(before);
  return signs;
}

test("a mask leaves the sign of pairs that may be flipped, and 0 of the others, on any graph", async () => {
  await fc.assert(
    fc.asyncProperty(anyGraph, anyRules, async (graph, choice) => {
      fc.pre(graph.numNodes > 1);
      const constraints = new Constraints(graph, rulesFor(graph, choice));
      const expected = allPairs(graph).map(([i, j]) => {
        if (!constraints.allows(i, j)) return 0;
        return hasEntry(graph.adjacency, i, j) ? -1 : 1;
      });
      expect((await signsAfter(graph, constraints)).map((sign) => sign + 0)).toEqual(expected);
    }),
  );
});

test.each([false, true])(
  "a mask forbids flips that were made, and nodes that are full (directed %s)",
  async (directed) => {
    const graph = randomGraph(8, 0.3, 3, { directed });
    const constraints = new Constraints(graph, { perNode: Int32Array.of(1, 2, 2, 2, 2, 2, 2, 2), protectedNodes: [7] });
    const made = { sources: Int32Array.of(0, 1), targets: Int32Array.of(1, 2) };
    const allowance = new Allowance(constraints, made);
    const signs = await signsAfter(graph, constraints, (mask) => mask.narrow(made, allowance));
    for (const [k, [i, j]] of allPairs(graph).entries()) {
      const isMade = made.sources.some((source, m) => source === i && made.targets[m] === j);
      expect(signs[k] !== 0).toBe(allowance.permits(i, j) && !isMade);
    }
  },
);

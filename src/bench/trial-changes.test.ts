import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { Rng } from "../core/rng.ts";
import { checkFlips, flipActions } from "../graph/flips.ts";
import { CHANGE_KINDS, changeAt, firstChanges, randomChanges } from "./trial-changes.ts";

describe("randomChanges", () => {
  test("inserts and removes as many pairs as the kind says, on any graph", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom(...CHANGE_KINDS), (seed, kind) => {
        const graph = randomGraph(20, 0.2, seed);
        const changes = randomChanges(graph, kind, 3, new Rng(seed));
        expect(changes.offsets).toHaveLength(4);
        for (let t = 0; t < 3; t++) {
          const flips = changeAt(changes, t);
          checkFlips(graph, flips);
          const actions = flipActions(graph, flips);
          expect(actions.filter((action) => action === "add")).toHaveLength(kind.insertions);
          expect(actions.filter((action) => action === "remove")).toHaveLength(kind.removals);
        }
        expect(changeAt(firstChanges(changes, 2), 1)).toEqual(changeAt(changes, 1));
      }),
    );
  });
});

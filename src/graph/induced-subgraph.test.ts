import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { hasEntry } from "./csr.ts";
import { checkGraph } from "./graph.ts";
import { inducedSubgraph } from "./induced-subgraph.ts";
import { selectRows } from "./select-rows.ts";

describe("inducedSubgraph", () => {
  test("keeps exactly the edges among the kept nodes, on any graph and any choice of nodes", () => {
    fc.assert(
      fc.property(anyGraph, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (graph, keep) => {
        const nodes = Int32Array.from(keep.keys()).filter((node) => node < graph.numNodes && keep[node]);
        const part = checkGraph(inducedSubgraph(graph, nodes));
        expect(part.labels).toEqual(Int32Array.from(nodes, (node) => graph.labels[node]));
        expect(part.features).toEqual(selectRows(graph.features, nodes));
        for (const [i, from] of nodes.entries()) {
          for (const [j, to] of nodes.entries()) {
            expect(hasEntry(part.adjacency, i, j)).toBe(hasEntry(graph.adjacency, from, to));
          }
        }
      }),
    );
  });
  test("wants ascending nodes that exist", () => {
    const graph = randomGraph(3, 1, 0);
    expect(() => inducedSubgraph(graph, Int32Array.of(1, 1))).toThrow("nodes must ascend, got 1 then 1");
    expect(() => inducedSubgraph(graph, Int32Array.of(0, 3))).toThrow("node 3 must be in 0 … 2");
  });
});

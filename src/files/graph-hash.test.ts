import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { Rng } from "../core/rng.ts";
import { NodeIds } from "../data/node-ids.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { applyFlips } from "../graph/flips.ts";
import { Graph } from "../graph/graph.ts";
import { graphHash } from "./graph-hash.ts";

const classes = ["a", "b", "c", "d", "e"];
const named = (names: readonly string[]) => ({ ids: NodeIds.of(names, "mine"), classes });

/** The same graph with its nodes in another order. */
function renumbered(graph: Graph, order: Int32Array): Graph {
  const places = new Int32Array(order.length);
  for (const [place, node] of order.entries()) places[node] = place;
  const sources: number[] = [];
  const targets: number[] = [];
  for (let i = 0; i < graph.numNodes; i++) {
    for (let e = graph.adjacency.rowPtr[i]; e < graph.adjacency.rowPtr[i + 1]; e++) {
      sources.push(places[i]);
      targets.push(places[graph.adjacency.colIdx[e]]);
    }
  }
  const { numNodes } = graph;
  const adjacency = csrFromEntries(numNodes, numNodes, Int32Array.from(sources), Int32Array.from(targets));
  return new Graph({ ...graph, adjacency, labels: order.map((node) => graph.labels[node]) });
}

describe("graphHash", () => {
  test("is that of the content, however nodes are numbered", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.boolean(), (seed, directed) => {
        const graph = randomGraph(12, 0.3, seed, { directed });
        const names = Array.from({ length: 12 }, (_, node) => `n${node}`);
        const order = new Rng(seed).shuffle(Int32Array.from({ length: 12 }, (_, node) => node));
        const shuffled = Array.from(order, (node) => names[node]);
        expect(graphHash(renumbered(graph, order), named(shuffled))).toBe(graphHash(graph, named(names)));
      }),
    );
  });

  test("changes with an edge, a label, an id and the direction", () => {
    const graph = randomGraph(12, 0.3, 5);
    const ids = NodeIds.numbered(12, "mine");
    const flips = { sources: Int32Array.of(2), targets: Int32Array.of(7) };
    const labels = graph.labels.map((label, node) => (node === 3 ? (label + 1) % 3 : label));
    const hashes = [
      graphHash(graph, { ids, classes }),
      graphHash(applyFlips(graph, flips), { ids, classes }),
      graphHash(new Graph({ ...graph, labels }), { ids, classes }),
      graphHash(new Graph({ ...graph, directed: true }), { ids, classes }),
      graphHash(graph, { ids: NodeIds.of([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "mine"), classes }),
      graphHash(graph, { ids, classes: ["x", ...classes.slice(1)] }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(graphHash(applyFlips(applyFlips(graph, flips), flips), { ids, classes })).toBe(hashes[0]);
  });
});

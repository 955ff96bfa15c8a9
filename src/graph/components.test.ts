import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph } from "../../test/support/any-graph.ts";
import { largestComponent, weakComponents } from "./components.ts";
import { csrFromEntries } from "./csr.ts";
import { Graph } from "./graph.ts";

/** Two components: 0 → 3, and 4 → 1 ← 5. Node 2 is alone. */
const scattered = new Graph({
  adjacency: csrFromEntries(6, 6, [0, 4, 5], [3, 1, 1]),
  features: { numRows: 6, numCols: 1, data: Float32Array.of(10, 11, 12, 13, 14, 15) },
  labels: Int32Array.of(0, 1, 2, 3, 4, 5),
  directed: true,
});

describe("weakComponents", () => {
  test("ignores directions and numbers components by their smallest node", () => {
    const { component, sizes } = weakComponents(scattered.adjacency);
    expect([...component]).toEqual([0, 1, 2, 0, 1, 1]);
    expect(sizes).toEqual([2, 3, 1]);
  });
  test("puts the ends of every edge together and has sizes that add up, on any graph", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency: A, numNodes }) => {
        const { component, sizes } = weakComponents(A);
        expect(sizes.reduce((sum, size) => sum + size)).toBe(numNodes);
        for (let i = 0; i < numNodes; i++) {
          for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) expect(component[A.colIdx[e]]).toBe(component[i]);
        }
      }),
    );
  });
});

describe("largestComponent", () => {
  test("keeps nodes in ascending order, renumbered, with their features and labels", () => {
    const kept = largestComponent(scattered);
    expect([...kept.labels]).toEqual([1, 4, 5]);
    expect(kept.features).toEqual({ numRows: 3, numCols: 1, data: Float32Array.of(11, 14, 15) });
    expect(kept.adjacency).toEqual(csrFromEntries(3, 3, [1, 2], [0, 0]));
    expect(kept.numClasses).toBe(scattered.numClasses);
  });
  test("is connected and as large as the largest component of any graph", () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const kept = largestComponent(graph);
        expect(weakComponents(kept.adjacency).sizes).toEqual([Math.max(...weakComponents(graph.adjacency).sizes)]);
      }),
    );
  });
});

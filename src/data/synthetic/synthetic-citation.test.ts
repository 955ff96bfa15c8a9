import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { weakComponents } from "../../graph/components.ts";
import type { Csr } from "../../graph/csr.ts";
import { rowDegrees } from "../../graph/degrees.ts";
import { edgeHomophily } from "../../graph/edge-homophily.ts";
import { checkGraph } from "../../graph/graph.ts";
import { syntheticCitation } from "./synthetic-citation.ts";

const SEEDS = [0, 1, 2];

describe.each(SEEDS)("syntheticCitation with seed %i", (seed) => {
  const graph = checkGraph(syntheticCitation(seed));
  const words = graph.features as Csr;

  test("has Cora ML's counts", () => {
    expect([graph.numNodes, graph.numEdges, graph.numFeatures, graph.numClasses]).toEqual([2810, 7981, 2879, 7]);
    const sizes = new Array<number>(7).fill(0);
    for (const label of graph.labels) sizes[label]++;
    expect(sizes).toEqual([348, 393, 440, 407, 781, 150, 291]);
  });
  test("is connected", () => {
    expect(weakComponents(graph.adjacency).sizes).toEqual([2810]);
  });
  test("has a homophily near Cora ML's .78", () => {
    expect(Math.abs(edgeHomophily(graph) - 0.78)).toBeLessThan(0.03);
  });
  test("has skewed degrees: most nodes have few neighbours, one has more than a hundred", () => {
    const degrees = rowDegrees(graph.adjacency).sort();
    expect(degrees[1405]).toBeLessThanOrEqual(5);
    expect(degrees.at(-1)).toBeGreaterThan(100);
    expect(degrees.at(-1)).toBeLessThan(300);
  });
  test("has about 50 words per node in rows of norm 1", () => {
    expect(Math.abs(words.colIdx.length / 2810 - 50)).toBeLessThan(2);
    for (let i = 0; i < 2810; i++) {
      const row = words.values!.subarray(words.rowPtr[i], words.rowPtr[i + 1]);
      expect(row.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 5);
    }
  });
});

describe("syntheticCitation", () => {
  test("has the same bits for seed 0 as when its difficulty was measured", () => {
    const { adjacency, features, labels } = syntheticCitation();
    const hash = createHash("sha256");
    for (const array of [adjacency.rowPtr, adjacency.colIdx, labels]) hash.update(array);
    for (const array of [(features as Csr).rowPtr, (features as Csr).colIdx]) hash.update(array);
    hash.update(Int32Array.from((features as Csr).values!, (value) => Math.round(value * 1e5)));
    expect(hash.digest("hex").slice(0, 16)).toBe("fe1a55f2cc795ee9");
  });
  test("differs between seeds", () => {
    expect(syntheticCitation(1).adjacency.colIdx).not.toEqual(syntheticCitation(2).adjacency.colIdx);
  });
});

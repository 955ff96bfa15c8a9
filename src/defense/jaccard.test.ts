import { describe, expect, test } from "vitest";
import { csrFromEntries } from "../graph/csr.ts";
import { dropDissimilarEdges, jaccard } from "./jaccard.ts";

/** Words {0, 1}, {1, 2}, {3}, none, none; node 5 stores a zero. */
const words = csrFromEntries(6, 4, [0, 0, 1, 1, 2, 5, 5], [0, 1, 1, 2, 3, 0, 3], [1, 2, 1, 1, 1, 0, 1]);
const edges = [
  [0, 1],
  [0, 2],
  [3, 4],
  [2, 5],
  [0, 3],
] as const;
const A = csrFromEntries(
  6,
  6,
  edges.flat(),
  edges.flatMap(([i, j]) => [j, i]),
);

describe("jaccard", () => {
  test("is the share of common words, and stored zeros are none", () => {
    expect(jaccard(words, 0, 1)).toBeCloseTo(1 / 3, 12);
    expect(jaccard(words, 2, 5)).toBe(1);
    expect(jaccard(words, 0, 2)).toBe(0);
    expect(jaccard(words, 3, 4)).toBeNaN();
  });
});

describe("dropDissimilarEdges", () => {
  const kept = (threshold: number) => {
    const { rowPtr, colIdx } = dropDissimilarEdges(A, words, threshold);
    return edges.filter(([i, j]) => colIdx.subarray(rowPtr[i], rowPtr[i + 1]).includes(j));
  };
  test("drops edges at the threshold or below, in both directions, and keeps those between nodes without words", () => {
    expect(kept(0.01)).toEqual([edges[0], edges[2], edges[3]]);
    expect(dropDissimilarEdges(A, words, 0.01).colIdx).toHaveLength(6);
    expect(kept(1 / 3)).toEqual([edges[2], edges[3]]);
  });
  test("reads dense features alike", () => {
    const data = Float32Array.from([1, 2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const dense = dropDissimilarEdges(A, { numRows: 6, numCols: 4, data }, 0.01);
    expect(dense).toEqual(dropDissimilarEdges(A, words, 0.01));
  });
});

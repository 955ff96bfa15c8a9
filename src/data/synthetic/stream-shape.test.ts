import { describe, expect, test } from "vitest";
import { generateShape } from "../../graph/generate-shape.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import { SHAPES, scaleShape } from "../../graph/shapes.ts";
import { streamShape } from "./stream-shape.ts";

const scale = 2e-5;
const graph = generateShape(scaleShape(SHAPES.papers100M, scale), 7);

describe("streamShape", () => {
  test("yields chunks that together are the graph generated in memory", () => {
    const { numFeatures } = graph;
    let rows = 0;
    for (const chunk of streamShape("papers100M", 7, { scale, rowsPerChunk: 500 })) {
      expect(chunk.begin).toBe(rows);
      const first = graph.adjacency.rowPtr[chunk.begin];
      expect(chunk.colIdx).toEqual(graph.adjacency.colIdx.slice(first, graph.adjacency.rowPtr[chunk.end]));
      expect(chunk.features).toEqual(
        (graph.features as DenseMatrix).data.slice(chunk.begin * numFeatures, chunk.end * numFeatures),
      );
      expect(chunk.labels).toEqual(graph.labels.slice(chunk.begin, chunk.end));
      rows = chunk.end;
    }
    expect(rows).toBe(graph.numNodes);
  });
  test("holds one chunk in memory, however many rows go by", () => {
    const start = process.memoryUsage().arrayBuffers;
    let streamed = 0;
    let highest = 0;
    for (const { features, colIdx } of streamShape("papers100M", 0, { scale: 30 * scale, rowsPerChunk: 1024 })) {
      streamed += features.byteLength + colIdx.byteLength;
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - start);
    }
    expect(streamed).toBeGreaterThan(30e6);
    expect(highest).toBeLessThan(4e6);
  });
  test("refuses undirected shapes and chunks of no rows", () => {
    expect(() => [...streamShape("arxiv")]).toThrow("arxiv is undirected and cannot be streamed");
    expect(() => [...streamShape("papers100M", 0, { rowsPerChunk: 0 })]).toThrow("rowsPerChunk must be a whole number");
  });
});

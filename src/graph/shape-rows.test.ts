import { describe, expect, test } from "vitest";
import { rowDegrees } from "./degrees.ts";
import { edgeHomophily } from "./edge-homophily.ts";
import { generateShape } from "./generate-shape.ts";
import { checkGraph, type DenseMatrix, type Graph } from "./graph.ts";
import { rowGenerator } from "./shape-rows.ts";
import { SHAPES, type Shape, scaleShape, shapeNamed } from "./shapes.ts";

const small: Shape = scaleShape(SHAPES.papers100M, 2e-5); // 2221 nodes
const arxiv: Shape = scaleShape(SHAPES.arxiv, 0.05);

describe("rowGenerator", () => {
  test("gives the same bits for a range of rows whatever else is generated", () => {
    const whole = rowGenerator(small, 3)(0, small.numNodes);
    const part = rowGenerator(small, 3)(1000, 1100);
    const begin = whole.rowPtr[1000];
    const end = whole.rowPtr[1100];
    expect(part.colIdx).toEqual(whole.colIdx.slice(begin, end));
    expect(part.rowPtr).toEqual(whole.rowPtr.slice(1000, 1101).map((pointer) => pointer - begin));
    expect(part.features).toEqual(whole.features.slice(1000 * small.numFeatures, 1100 * small.numFeatures));
    expect(part.labels).toEqual(whole.labels.slice(1000, 1100));
  });
  test("reaches the last rows of a graph of 111 million nodes without the others", () => {
    const { numNodes, numClasses } = SHAPES.papers100M;
    const { colIdx, rowPtr, labels } = rowGenerator(SHAPES.papers100M, 0)(numNodes - 1000, numNodes);
    expect(rowPtr[1000] / 1000).toBeGreaterThan(10); // the shape has 14.5 entries per row
    expect(colIdx.every((j) => j >= 0 && j < numNodes)).toBe(true);
    expect(Math.max(...colIdx)).toBeGreaterThan(0.9 * numNodes);
    expect(labels[999]).toBe((numNodes - 1) % numClasses);
  });
  test("gives other bits for another seed", () => {
    const one = rowGenerator(small, 0)(0, 50);
    const other = rowGenerator(small, 1)(0, 50);
    expect(one.colIdx).not.toEqual(other.colIdx);
    expect(one.features).not.toEqual(other.features);
  });
});

describe("generateShape", () => {
  const cases: [string, Shape][] = Object.entries(SHAPES).map(([name, shape]) => {
    return [name, scaleShape(shape, Math.min(1, 20_000 / shape.numNodes))];
  });
  test.each(cases)("makes a valid graph of the %s shape with the counts and the homophily asked for", (_, shape) => {
    const graph = checkGraph(generateShape(shape, 1));
    expect([graph.numNodes, graph.numFeatures, graph.numClasses, graph.directed]).toEqual([
      shape.numNodes,
      shape.numFeatures,
      shape.numClasses,
      shape.directed,
    ]);
    expect(Math.abs(edgeHomophily(graph) - shape.homophily)).toBeLessThan(0.1);
    expect(graph.numEntries / shape.numEntries).toBeGreaterThan(0.7); // small classes merge many repeated draws
    expect(graph.numEntries / shape.numEntries).toBeLessThan(1.1);
  });
  test("comes within a tenth of the entries and has hubs, at a twentieth of the arxiv shape", () => {
    const graph = generateShape(arxiv, 0);
    const degrees = rowDegrees(graph.adjacency).sort();
    expect(graph.numEntries / arxiv.numEntries).toBeGreaterThan(0.9);
    expect(degrees.at(-1)! / degrees[degrees.length >> 1]).toBeGreaterThan(20);
    expect(degrees[0]).toBeGreaterThan(0);
  });
  test("has labels that features hint at and neighbours confirm", () => {
    const graph = generateShape(arxiv, 0);
    const alone = nearestCentreAccuracy(graph, graph.features as DenseMatrix);
    const together = nearestCentreAccuracy(graph, neighbourMeans(graph));
    expect(alone).toBeGreaterThan(4 / graph.numClasses);
    expect(together).toBeGreaterThan(alone + 0.1);
    expect(together).toBeLessThan(0.99);
  });
});

describe("shapes", () => {
  test("are found by name, and an unknown name lists the known ones", () => {
    expect(shapeNamed("products").numNodes).toBe(2_449_029);
    expect(() => shapeNamed("arxiw")).toThrow('unknown shape "arxiw"; known are cora_ml, pubmed, arxiv');
  });
  test("keep their mean degree when scaled", () => {
    const half = scaleShape(SHAPES.arxiv, 0.5);
    expect(half.numNodes).toBe(84_672);
    expect(half.numEntries / half.numNodes).toBeCloseTo(SHAPES.arxiv.numEntries / SHAPES.arxiv.numNodes, 3);
    expect(() => scaleShape(SHAPES.arxiv, 0)).toThrow("scale must be above 0, got 0");
  });
});

/** Mean of each node's own features and its neighbours'. */
function neighbourMeans({ adjacency: A, features }: Graph): DenseMatrix {
  const { numRows, numCols, data } = features as DenseMatrix;
  const means = data.slice();
  for (let i = 0; i < numRows; i++) {
    const scale = 1 / (1 + A.rowPtr[i + 1] - A.rowPtr[i]);
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) {
      for (let f = 0; f < numCols; f++) means[i * numCols + f] += data[A.colIdx[e] * numCols + f];
    }
    for (let f = 0; f < numCols; f++) means[i * numCols + f] *= scale;
  }
  return { numRows, numCols, data: means };
}

/** Accuracy on the second half of the nodes of a classifier that knows the class means of the first half. */
function nearestCentreAccuracy({ labels, numClasses }: Graph, { numRows, numCols, data }: DenseMatrix): number {
  const half = numRows >>> 1;
  const centres = new Float64Array(numClasses * numCols);
  const counts = new Float64Array(numClasses);
  for (let i = 0; i < half; i++) counts[labels[i]]++;
  for (let i = 0; i < half; i++) {
    const at = labels[i] * numCols;
    for (let f = 0; f < numCols; f++) centres[at + f] += data[i * numCols + f] / counts[labels[i]];
  }
  let correct = 0;
  for (let i = half; i < numRows; i++) {
    let best = Number.POSITIVE_INFINITY;
    let nearest = -1;
    for (let c = 0; c < numClasses; c++) {
      let distance = 0;
      for (let f = 0; f < numCols; f++) distance += (data[i * numCols + f] - centres[c * numCols + f]) ** 2;
      if (distance < best) [best, nearest] = [distance, c];
    }
    if (nearest === labels[i]) correct++;
  }
  return correct / (numRows - half);
}

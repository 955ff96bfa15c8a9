import { describe, expect, test } from "vitest";
import { SHAPES, type Shape, scaleShape } from "../../graph/shapes.ts";
import { setDrawer, splitSizes, UNLABELLED } from "./shape-split.ts";

function drawn(shape: Shape, seed: number): number[][] {
  const draw = setDrawer(shape, splitSizes(shape), seed);
  const sets: number[][] = [[], [], [], []];
  for (let node = 0; node < shape.numNodes; node++) sets[draw()].push(node);
  return sets;
}

describe("splitSizes", () => {
  test("are the published ones at the published size, and shares of it at others", () => {
    expect(splitSizes(SHAPES.papers100M)).toEqual({ train: 1_207_179, val: 125_265, test: 214_338 });
    expect(splitSizes(SHAPES.arxiv)).toEqual({ train: 90_941, val: 29_799, test: 48_603 });
    expect(splitSizes(scaleShape(SHAPES.papers100M, 0.01))).toEqual({ train: 12_072, val: 1252, test: 2144 });
    expect(splitSizes({ ...SHAPES.cora_ml, numNodes: 1000 })).toEqual({ train: 100, val: 100, test: 800 });
  });
  test("leave nobody out where all nodes have labels", () => {
    for (const numNodes of [94, 1001, 54_321]) {
      const { train, val, test: rest } = splitSizes({ ...SHAPES.products, numNodes });
      expect(train + val + rest).toBe(numNodes);
    }
  });
});

describe("setDrawer", () => {
  const shape = scaleShape(SHAPES.papers100M, 1e-3);
  test("gives each set exactly its size", () => {
    const { train, val, test: rest } = splitSizes(shape);
    const sizes = drawn(shape, 0).map((set) => set.length);
    expect(sizes).toEqual([train, val, rest, shape.numNodes - train - val - rest]);
  });
  test("draws from everywhere, and other nodes by another seed", () => {
    const train = drawn(shape, 0)[0];
    const mean = train.reduce((sum, node) => sum + node, 0) / train.length;
    expect(Math.abs(mean / shape.numNodes - 0.5)).toBeLessThan(0.05);
    expect(train).not.toEqual(drawn(shape, 1)[0]);
    expect(drawn({ ...SHAPES.arxiv, numNodes: 500 }, 0)[UNLABELLED]).toEqual([]);
  });
});

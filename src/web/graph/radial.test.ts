import { describe, expect, test } from "vitest";
import { placeRadially, RING } from "./radial.ts";

describe("a neighbourhood on rings", () => {
  // 0 is joined to 1 and 2; 3 is behind 1; an edge from 0 to 4 is added
  const surroundings = {
    nodes: [0, 4, 1, 2, 3],
    edges: [0, 1, 0, 2, 1, 3, 0, 4],
    actions: [null, null, null, "add"] as const,
    complete: true,
  };
  const placed = placeRadially(surroundings, [0, 1, 0, 0, 1]);

  test("has the node in the middle, neighbours around it, also those that are added, and the others outside", () => {
    const rings = new Map(placed.map(({ node, ring }) => [node, ring]));
    expect([0, 1, 2, 4, 3].map((node) => rings.get(node))).toEqual([0, 1, 1, 1, 2]);
    for (const { x, y, ring } of placed) expect(Math.hypot(x, y)).toBeCloseTo(ring * RING);
  });
  test("has every node once, at a place of its own", () => {
    expect(placed.map(({ node }) => node).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(placed.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(3)}`)).size).toBe(5);
  });
});

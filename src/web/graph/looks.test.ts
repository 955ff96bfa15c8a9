import type { OpenedGraph, TrainedModel } from "rgnn/lab";
import { describe, expect, test } from "vitest";
import { looksOf, outcomeOf, type Scene } from "./looks.ts";
import { classColour, paletteFor } from "./palette.ts";

const graph = { numNodes: 4, labels: [0, 0, 1, 1], classes: ["a", "b"] } as unknown as OpenedGraph;
const model = { roles: ["test", "test", "test", "train"], predictions: [0, 0, 0, 1] } as unknown as TrainedModel;
const scene = (given: Partial<Scene>): Scene => {
  return { graph, model, predictions: Int32Array.of(0, 1, 0, 1), colouring: "outcome", ...given };
};

describe("what nodes look like", () => {
  test("tells nodes that are right, lost, wrong from the start, and no test nodes", () => {
    expect([0, 1, 2, 3].map((node) => outcomeOf(scene({}), node))).toEqual(["right", "lost", "wrong", "aside"]);
  });
  test("is their class before there is a model, and what is predicted after", () => {
    const palette = paletteFor(false);
    const colours = (given: Partial<Scene>) =>
      looksOf(scene({ colouring: "class", ...given }), palette, 800).map(({ colour }) => colour);
    const classes = [0, 1].map((label) => classColour(palette, label));
    expect(colours({ model: null, predictions: null })).toEqual([classes[0], classes[0], classes[1], classes[1]]);
    expect(colours({})).toEqual([classes[0], classes[1], classes[0], classes[1]]);
  });
  test("makes nodes larger that were lost", () => {
    const looks = looksOf(scene({}), paletteFor(true), 800);
    expect(looks[1].size).toBeGreaterThan(looks[0].size);
    expect(looks[1].level).toBeGreaterThan(looks[0].level);
  });
});

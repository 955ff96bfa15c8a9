import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { Rng } from "../../core/rng.ts";
import { rowDegrees } from "../../graph/degrees.ts";
import { edgeHomophily } from "../../graph/edge-homophily.ts";
import { applyFlips, type Flips } from "../../graph/flips.ts";
import { cleanGraph } from "./clean-graph.ts";
import { countDegrees, degreeBin } from "./degree-bins.ts";
import { attackCurve, trainingCurve } from "./epoch-curve.ts";
import { fiveNumbers } from "./five-numbers.ts";
import { flipProfile } from "./flip-profile.ts";
import { marginHistogram } from "./margin-histogram.ts";
import { FAR, stepsFrom } from "./steps-from.ts";
import { targetProfile } from "./target-profile.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test("degrees are counted in bins that double", () => {
  expect([0, 1, 2, 3, 4, 7, 8].map(degreeBin)).toEqual([0, 1, 2, 2, 3, 3, 4]);
  expect(countDegrees([1, 1, 3, 5])).toEqual([0, 2, 1, 1]);
});

describe("a histogram of margins", () => {
  test("counts values between multiples of a power of two", () => {
    const { width, first, before, after } = marginHistogram([-1, 0.5, 0.6], [-1, -0.75, 0.6])!;
    expect(width).toBe(1 / 16);
    const at = (value: number) => Math.floor(value / width) - first;
    expect([before[at(-1)], before[at(0.5)], before[at(0.6)]]).toEqual([1, 1, 1]);
    expect([after?.[at(-0.75)], after?.[at(0.5)]]).toEqual([1, 0]);
  });
  test("loses no finite value, whatever the values are, and has at most fifty bins", () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 });
    fc.assert(
      fc.property(values, values, (before, after) => {
        const counted = marginHistogram(before, after)!;
        expect(sum(counted.before)).toBe(before.length);
        expect(sum(counted.after!)).toBe(after.length);
        expect(counted.before.length).toBeLessThanOrEqual(50);
      }),
    );
  });
  test("is null without values", () => {
    expect(marginHistogram([], [])).toBeNull();
    expect(marginHistogram([Number.NaN])).toBeNull();
  });
});

test("five numbers are those of a box plot", () => {
  expect(fiveNumbers([4, 1, 2, 3, 5])).toEqual([1, 2, 3, 4, 5]);
  expect(fiveNumbers([0, 1])).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(fiveNumbers([])).toBeNull();
});

describe("a curve over epochs", () => {
  const losses = Array.from({ length: 1000 }, (_, t) => 1000 - t);

  test("keeps the first, the best and the last epoch of a long training", () => {
    const history = { trainLoss: losses, valLoss: losses, bestEpoch: 777, interrupted: false };
    const { epochs, trainLoss, numEpochs } = trainingCurve(history, 2);
    expect(epochs.length).toBeLessThan(85);
    for (const t of [0, 777, 999]) expect(epochs).toContain(t);
    expect(trainLoss).toEqual(epochs.map((t) => 1000 - t));
    expect(numEpochs).toBe(1000);
  });
  test("has no accuracy where the objective is another, and is null where there are no epochs", () => {
    expect(attackCurve([{ loss: 1.234567, score: 5, accuracy: null }])).toEqual({
      epochs: [0],
      loss: [1.2346],
      accuracy: [null],
    });
    expect(attackCurve([])).toBeNull();
  });
});

describe("flips", () => {
  const graph = randomGraph(40, 0.15, 3);
  const classes = Array.from({ length: graph.numClasses }, (_, k) => `class ${k}`);
  const clean = cleanGraph(graph, classes, [0, 1]);

  /** Distinct pairs, source below target. */
  function anyFlips(seed: number): Flips {
    const rng = new Rng(seed);
    const pairs = new Map<string, readonly [number, number]>();
    for (let k = 0; k < 30; k++) {
      const i = rng.integer(40);
      const j = rng.integer(40);
      if (i < j) pairs.set(`${i} ${j}`, [i, j]);
    }
    const all = [...pairs.values()];
    return { sources: Int32Array.from(all, ([i]) => i), targets: Int32Array.from(all, ([, j]) => j) };
  }

  test("change homophily and degrees as the perturbed graph has them", () => {
    for (const seed of [1, 2, 3, 4]) {
      const flips = anyFlips(seed);
      const perturbed = applyFlips(graph, flips);
      const { added, removed, homophily, degrees } = flipProfile(clean, flips);
      expect(added.count + removed.count).toBe(flips.sources.length);
      expect(homophily).toBeCloseTo(edgeHomophily(perturbed), 4);
      const counted = countDegrees(rowDegrees(perturbed.adjacency));
      expect(degrees.slice(0, counted.length)).toEqual(counted);
      expect(sum(degrees)).toBe(graph.numNodes);
    }
  });
  test("are counted once by class and by distance, and twice by degree: at both ends", () => {
    const { added, removed } = flipProfile(clean, anyFlips(5));
    for (const { count, byClass, steps, ends } of [added, removed]) {
      expect([sum(byClass!), sum(steps), sum(ends)]).toEqual([count, count, 2 * count]);
    }
  });
  test("know how far a training node is", () => {
    const { adjacency } = graph;
    const steps = stepsFrom(adjacency, [0]);
    expect(steps[0]).toBe(0);
    for (let e = adjacency.rowPtr[0]; e < adjacency.rowPtr[1]; e++) expect(steps[adjacency.colIdx[e]]).toBe(1);
    expect(Math.max(...steps)).toBeLessThanOrEqual(FAR);
  });
  test("leave the counts of the measured nodes to add up", () => {
    const nodes = [3, 5, 8];
    const right = { predictions: Int32Array.from(nodes, (k) => graph.labels[k]), margins: Float32Array.of(1, 2, 3) };
    const wrong = { predictions: Int32Array.of(-1, -1, -1), margins: Float32Array.of(-1, -1, -1), score: 0 };
    const profile = targetProfile(clean, nodes, { ...right, score: 3 }, wrong);
    for (const counts of [profile.byDegree, profile.byClass!]) {
      expect([sum(counts.nodes), sum(counts.clean), sum(counts.adversarial!)]).toEqual([3, 3, 0]);
    }
    expect(targetProfile(clean, nodes, { ...right, score: 3 }, null).byDegree.adversarial).toBeNull();
  });
});

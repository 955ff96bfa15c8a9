import { describe, expect, test } from "vitest";
import { Rng } from "../../core/rng.ts";
import { bootstrapInterval } from "./bootstrap.ts";
import { holm } from "./holm.ts";
import { signFlipTest } from "./permutation.ts";
import { sampleOf } from "./sample.ts";
import { studentCdf, studentQuantile } from "./student-t.ts";
import { compareCells, publishedSample } from "./verdict.ts";
import { paired, welch } from "./welch.ts";

describe("Student's t distribution", () => {
  test.each([
    [1, 1, 0.75], // Cauchy: 1/2 + atan(1)/π
    [1.3, 2, 0.8383764840919798], // scipy.stats.t.cdf
    [2.5, 4.7, 0.9712039203265663],
    [-0.4, 11, 0.34840728761314593],
    [12, 3, 0.9993774920996054],
  ])("P(T ≤ %f) with %f degrees of freedom", (t, freedom, expected) => {
    expect(studentCdf(t, freedom)).toBeCloseTo(expected, 12);
    expect(studentQuantile(expected, freedom)).toBeCloseTo(t, 8);
  });
});

describe("comparing means", () => {
  const a = [0.62, 0.64, 0.63];
  const b = [0.66, 0.65, 0.7, 0.69];

  test("of two samples takes the spread of both: values of scipy's ttest_ind without equal variances", () => {
    const { difference, pValue, interval } = welch(sampleOf(a), sampleOf(b));
    expect(difference).toBeCloseTo(-0.045, 12);
    expect(pValue).toBeCloseTo(0.024989486258047637, 8);
    expect(interval?.[0]).toBeCloseTo(-0.0809644655495644, 8);
    expect(interval?.[1]).toBeCloseTo(-0.009035534450435465, 8);
  });
  test("in pairs sees a small difference that seeds share: values of scipy's ttest_rel", () => {
    const first = [0.8, 0.7, 0.9, 0.6];
    const second = [0.79, 0.685, 0.89, 0.595];
    expect(paired(first, second).pValue).toBeCloseTo(0.01627660345942817, 8);
    expect(welch(sampleOf(first), sampleOf(second)).pValue).toBeGreaterThan(0.9);
  });
  test("of a single value says nothing", () => {
    expect(welch(sampleOf([0.5]), sampleOf(b))).toEqual({
      difference: 0.5 - sampleOf(b).mean,
      standardError: null,
      interval: null,
      pValue: null,
    });
    expect(paired([0.5], [0.4]).pValue).toBeNull();
  });
  test("of values without any spread is certain", () => {
    expect(welch(sampleOf([1, 1]), sampleOf([2, 2]))).toEqual({
      difference: -1,
      standardError: 0,
      interval: [-1, -1],
      pValue: 0,
    });
    expect(welch(sampleOf([1, 1]), sampleOf([1, 1])).pValue).toBe(1);
  });
  test("by flipping signs: all patterns of few pairs, draws of many", () => {
    expect(signFlipTest([1, 2, 3], [0, 0, 0], new Rng(0, 0))).toBe(2 / 8);
    expect(signFlipTest([1, -1], [0, 0], new Rng(0, 0))).toBe(1);
    const many = Array.from({ length: 30 }, (_, k) => 1 + k / 100);
    expect(
      signFlipTest(
        many,
        many.map(() => 0),
        new Rng(0, 0),
      ),
    ).toBeCloseTo(1 / 10_001, 10);
  });
});

test("Holm's correction: the smallest times their number, the next times one less, never falling", () => {
  const corrected = holm([0.04, 0.01, null, 0.03]);
  for (const [k, expected] of [0.06, 0.03, null, 0.06].entries()) {
    if (expected === null) expect(corrected[k]).toBeNull();
    else expect(corrected[k]).toBeCloseTo(expected, 12);
  }
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
});

test("a bootstrap interval covers the mean about as often as it promises", () => {
  const rng = new Rng(5, 0);
  let covered = 0;
  for (let k = 0; k < 400; k++) {
    const interval = bootstrapInterval(Array.from({ length: 20 }, () => rng.normal()))!;
    if (interval[0] <= 0 && interval[1] >= 0) covered++;
  }
  expect(covered / 400).toBeGreaterThan(0.88); // a little less than 0.95 with twenty values: they vary less than what they come from
  expect(covered / 400).toBeLessThan(0.98);
  expect(bootstrapInterval([1])).toBeNull();
});

describe("verdicts", () => {
  /** Tables in which nothing differs: ours and the published one are three seeds each of the same accuracy. */
  function falseAlarms(tables: number, cells: number): number {
    const rng = new Rng(11, 0);
    const draw = () => sampleOf(Array.from({ length: 3 }, () => 0.7 + 0.01 * rng.normal()));
    let alarms = 0;
    for (let t = 0; t < tables; t++) {
      const table = Array.from({ length: cells }, () => ({ here: draw(), published: draw() }));
      if (compareCells(table).some(({ verdict }) => verdict !== "within")) alarms++;
    }
    return alarms / tables;
  }

  test("raise a false alarm in at most one of twenty tables, of whatever size", () => {
    expect(falseAlarms(1000, 1)).toBeLessThan(0.065);
    expect(falseAlarms(1000, 40)).toBeLessThan(0.065);
  });
  test("tell apart what differs by far more than both spreads", () => {
    const near = { here: sampleOf([0.63, 0.64, 0.635]), published: publishedSample(0.635, 0.002) };
    const below = { ...near, here: sampleOf([0.53, 0.531, 0.529]) };
    const above = { ...near, here: sampleOf([0.73, 0.731, 0.729]) };
    const alone = { ...near, here: sampleOf([0.7]) };
    const verdicts = compareCells([near, below, above, alone]).map(({ verdict }) => verdict);
    expect(verdicts).toEqual(["within", "stronger", "weaker", "unknown"]);
  });
  test("take a printed ± for the standard deviation over three seeds divided by three", () => {
    const { standardDeviation } = publishedSample(0.7, 0.002);
    expect(standardDeviation! / Math.sqrt(3)).toBeCloseTo((0.002 * 3) / Math.sqrt(2), 12); // its standard error
    expect(publishedSample(0.7, 0).standardDeviation).toBeGreaterThan(0);
  });
});

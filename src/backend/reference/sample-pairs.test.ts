import { describe, expect, test } from "vitest";
import { type Key, philox } from "../../core/philox.ts";
import { pairCount, pairIndex } from "../../graph/pair-index.ts";
import type { PairBuffers, PairDraw } from "../backend.ts";
import { createReference } from "./reference.ts";

const on = createReference();
const DRAWS: PairDraw[] = ["stratified", "uniform"];
const FLOOR = 1e-7;

function block(numNodes: number, directed: boolean, length: number): PairBuffers {
  return { numNodes, directed, length, sources: on.alloc("i32", length), targets: on.alloc("i32", length) };
}

function sample(numNodes: number, directed: boolean, length: number, draw: PairDraw, key: Key): PairBuffers {
  const pairs = block(numNodes, directed, length);
  on.samplePairs(pairs, draw, key);
  return pairs;
}

async function indices(pairs: PairBuffers): Promise<bigint[]> {
  const sources = await on.read(pairs.sources);
  const targets = await on.read(pairs.targets);
  return Array.from(sources, (i, e) => pairIndex(pairs.numNodes, pairs.directed, i, targets[e]));
}

async function resample(pairs: PairBuffers, weights: number[], draw: PairDraw) {
  const next = block(pairs.numNodes, pairs.directed, pairs.length);
  const nextWeights = on.alloc("f32", pairs.length);
  on.resamplePairs({
    next,
    nextWeights,
    pairs,
    weights: on.upload(Float64Array.from(weights)),
    floor: FLOOR,
    draw,
    key: { lo: 8, hi: 9 },
  });
  const drawn = await indices(next);
  const values = [...(await on.read(nextWeights))];
  return {
    drawn,
    values,
    kept: new Map(drawn.map((index, e) => [index, values[e]] as const).filter(([, w]) => w !== FLOOR)),
  };
}

function expectAscending(values: bigint[]): void {
  for (let e = 1; e < values.length; e++) expect(values[e] > values[e - 1]).toBe(true);
}

describe.each(DRAWS)("samplePairs, %s", (draw) => {
  test.each([true, false])("draws distinct pairs in ascending order (directed: %s)", async (directed) => {
    for (const [n, length] of [
      [2, 1],
      [30, 100],
      [30, 435],
      [169_343, 1000],
      [200_000_000, 1000],
    ] as const) {
      expectAscending(await indices(sample(n, directed, length, draw, { lo: length, hi: 1 })));
    }
  });
  test("draws every pair equally often", async () => {
    const n = 6;
    const length = 5;
    const rounds = 3000; // 15 pairs, so each is expected in a third of the rounds
    const counts = new Array<number>(15).fill(0);
    for (let lo = 0; lo < rounds; lo++) {
      for (const index of await indices(sample(n, false, length, draw, { lo, hi: 77 }))) counts[Number(index)]++;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(36.1); // exceeded once in a thousand times with 14 degrees of freedom
  });
  test("draws the same for the same key only", async () => {
    const first = await indices(sample(1000, false, 50, draw, { lo: 1, hi: 2 }));
    expect(await indices(sample(1000, false, 50, draw, { lo: 1, hi: 2 }))).toEqual(first);
    expect(await indices(sample(1000, false, 50, draw, { lo: 1, hi: 3 }))).not.toEqual(first);
  });
  test("maps a 64-bit word exactly to the pairs of 200 million nodes", async () => {
    for (const directed of [true, false]) {
      for (let lo = 0; lo < 50; lo++) {
        const words = new Uint32Array(4);
        philox(words, { lo, hi: 0 }, 0);
        const word = BigInt(words[1]) * 2n ** 32n + BigInt(words[0]);
        const expected = (word * pairCount(200_000_000, directed)) / 2n ** 64n;
        expect(await indices(sample(200_000_000, directed, 1, draw, { lo, hi: 0 }))).toEqual([expected]);
      }
    }
  });
});

test("samplePairs, stratified, draws one pair from each stratum, the larger strata first", async () => {
  const drawn = await indices(sample(6, false, 4, "stratified", { lo: 3, hi: 3 })); // 15 pairs: strata of 4, 4, 4, 3
  const stratum = (index: bigint) => Math.min(Math.floor(Number(index) / 4), 3);
  expect(drawn.map(stratum)).toEqual([0, 1, 2, 3]);
});

describe.each(DRAWS)("resamplePairs, %s", (draw) => {
  test.each([
    [40, false],
    [40, true],
    [200_000_000, false],
  ] as const)("keeps exactly the survivors and their weights among %d nodes (directed: %s)", async (n, directed) => {
    const pairs = sample(n, directed, 301, draw, { lo: 4, hi: 2 });
    const before = await indices(pairs);
    const weights = before.map((_, e) => (e % 7 === 0 ? (e + 1) / 400 : FLOOR));
    const { drawn, kept } = await resample(pairs, weights, draw);
    expectAscending(drawn);
    expect(kept).toEqual(new Map(before.map((index, e) => [index, weights[e]] as const).filter((_, e) => e % 7 === 0)));
  });
  test("keeps the largest half where more survive, the first of equal ones", async () => {
    const pairs = sample(40, false, 9, draw, { lo: 4, hi: 2 });
    const before = await indices(pairs);
    const { kept } = await resample(pairs, [0.5, 0.25, 0.5, 0.5, 0.75, 0.5, 0.5, 0.5, FLOOR], draw);
    expect([...kept.keys()]).toEqual([0, 2, 3, 4].map((e) => before[e]));
  });
  test("draws the others from all pairs that are not kept", async () => {
    const pairs = sample(5, false, 10, draw, { lo: 4, hi: 2 });
    const { drawn } = await resample(pairs, [FLOOR, 0.5, FLOOR, FLOOR, 0.5, FLOOR, 0.5, FLOOR, FLOOR, FLOOR], draw);
    expect(drawn).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
  });
});

test("resamplePairs refuses a block of another size", () => {
  const run = () =>
    on.resamplePairs({
      next: block(9, false, 4),
      nextWeights: on.alloc("f32", 5),
      pairs: block(9, false, 5),
      weights: on.alloc("f32", 5),
      floor: 0,
      draw: "uniform",
      key: {
        lo: 0,
        hi: 0,
      },
    });
  expect(run).toThrow("resamplePairs: next must be a block of 5 pairs of the same graph, got 4 pairs");
});

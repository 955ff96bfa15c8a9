import { expect } from "vitest";
import type { PairDraw } from "../../../src/backend/backend.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const DRAWS: PairDraw[] = ["stratified", "uniform"];
const KEY = { lo: 0xdeadbeef, hi: 0x8badf00d };

const BLOCKS: [numNodes: number, directed: boolean, length: number][] = [
  [2, false, 1],
  [2, true, 2],
  [5, false, 10],
  [5, true, 20],
  [9, false, 0],
  [100, false, 1001],
  [100, true, 1003],
  [100, false, 4950],
  [300, true, 40_003],
  [400, false, 1],
  [169_343, false, 2000],
  [140_000_000, false, 777],
  [200_000_000, false, 1001],
  [200_000_000, true, 1001],
];

export function samplePairsCases(contract: Contract): void {
  contract.kernel("samplePairs", ({ same, holds }) => {
    for (const draw of DRAWS) {
      same(`draws the very same ${draw} pairs as the reference`, (side) => {
        const results: Results = {};
        for (const [numNodes, directed, length] of BLOCKS) {
          const block = side.block(numNodes, directed, length);
          const signs = signsOf(side, numNodes, length);
          side.backend.samplePairs(block, draw, KEY, signs);
          const name = `${length} of ${numNodes} ${directed ? "directed" : "undirected"}`;
          Object.assign(results, { [`sources ${name}`]: block.sources, [`targets ${name}`]: block.targets });
          if (signs) results[`signs ${name}`] = signs.out;
        }
        return results;
      });
    }
    holds("refuses more pairs than there are", (side) => {
      expect(() => side.backend.samplePairs(side.block(4, false, 7), "stratified", KEY)).toThrow(/samplePairs: 7 .*6/);
      expect(() => side.backend.samplePairs(side.block(1, true, 1), "uniform", KEY)).toThrow(/samplePairs: 1 .*0/);
    });
  });
  contract.kernel("resamplePairs", ({ same }) => {
    for (const draw of DRAWS) {
      for (const [kind, weight] of Object.entries(WEIGHTS)) {
        same(`makes the same block from ${kind} by ${draw} draws`, (side) => resampled(side, draw, weight));
      }
    }
    same("keeps no weight at the floor, however the backend rounds it", (side) => {
      const pairs = side.pairs(30, false, 99);
      const next = side.block(30, false, 99);
      const weights = side.out(99);
      side.backend.fill(weights, FLOOR); // f32 rounds this up
      side.backend.resamplePairs({
        next,
        nextWeights: side.out(99),
        pairs,
        weights,
        floor: FLOOR,
        draw: "stratified",
        key: KEY,
      });
      return { sources: next.sources, targets: next.targets };
    });
  });
}

const FLOOR = 1e-7;

/** Room for signs by a matrix of these nodes, unless they are too many to list their rows. */
function signsOf(side: Side, numNodes: number, length: number) {
  if (numNodes > 1000) return undefined;
  const degrees = Array.from({ length: numNodes }, (_, i) => (i * 11) % (numNodes + 1));
  return { out: side.out(length), S: side.csr(numNodes, degrees, false) };
}

/** Weights of a block, drawn in the order of its entries. */
const WEIGHTS: Record<string, (side: Side) => number> = {
  "a few survivors": (side) => (side.rng.uniform() < 0.1 ? side.rng.uniform() : FLOOR),
  "more survivors than may stay": (side) => 0.1 + 0.9 * side.rng.uniform(),
  "ties at the cut": (side) => [FLOOR, 0.25, 0.5][side.rng.integer(3)],
  "weights that are all equal": () => 0.5,
  "weights at the floor only": () => FLOOR,
};

function resampled(side: Side, draw: PairDraw, weight: (side: Side) => number): Results {
  const results: Results = {};
  for (const [numNodes, directed, length] of BLOCKS) {
    const pairs = side.block(numNodes, directed, length);
    const next = side.block(numNodes, directed, length);
    side.backend.samplePairs(pairs, draw, KEY);
    const weights = side.floats(Array.from({ length }, () => weight(side)));
    const nextWeights = side.out(length);
    const signs = signsOf(side, numNodes, length);
    side.backend.resamplePairs({
      next,
      nextWeights,
      pairs,
      weights,
      floor: Math.fround(FLOOR),
      draw,
      key: { lo: 5, hi: 6 },
      signs,
    });
    const name = `${length} of ${numNodes} ${directed ? "directed" : "undirected"}`;
    Object.assign(results, { [`sources ${name}`]: next.sources, [`targets ${name}`]: next.targets });
    results[`weights ${name}`] = nextWeights;
    if (signs) results[`signs ${name}`] = signs.out;
  }
  return results;
}

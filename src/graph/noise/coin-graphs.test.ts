import { describe, expect, test } from "vitest";
import { entryNames, randomGraph } from "../../../test/support/any-graph.ts";
import { hasEntry, numEntries } from "../csr.ts";
import { checkGraph } from "../graph.ts";
import { CoinGraphs } from "./coin-graphs.ts";
import type { FlipNoise } from "./noise.ts";
import { PairCoins, TILE_PAIRS } from "./pair-coins.ts";

const DRAWS = 4000;

/** Five standard deviations of a share over so many draws. */
const tolerance = (p: number, draws = DRAWS) => 5 * Math.sqrt((p * (1 - p)) / draws) + 1e-9;

describe("CoinGraphs", () => {
  test.each([
    { add: 0.1, delete: 0.4 },
    { add: 0.3, delete: 0 },
    { add: 0, delete: 0.7 },
    { add: 0.9, delete: 0.05 },
  ])("has every pair as often as the noise says: %o", (edges: FlipNoise) => {
    const n = 35; // three tiles across, the last one not full
    const graph = randomGraph(n, 0.3, 3);
    const graphs = new CoinGraphs(graph, edges, 5);
    const counts = new Float64Array(n * n);
    const draws = 1000;
    for (let number = 0; number < draws; number++) {
      const { adjacency } = graphs.draw(number);
      for (let i = 0; i < n; i++) {
        for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) counts[i * n + adjacency.colIdx[e]]++;
      }
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const present = hasEntry(graph.adjacency, i, j) ? 1 - edges.delete : edges.add;
        const expected = i === j ? 0 : present;
        expect(Math.abs(counts[i * n + j] / draws - expected)).toBeLessThan(tolerance(expected, draws));
      }
    }
  });
  test("adds as many pairs as a small probability says, as widely spread", () => {
    const n = 300;
    const graphs = new CoinGraphs(randomGraph(n, 0, 3), { add: 0.001, delete: 0 }, 7);
    const pairs = (n * (n - 1)) / 2;
    const draws = 400;
    let sum = 0;
    let squares = 0;
    for (let number = 0; number < draws; number++) {
      const added = numEntries(graphs.draw(number).adjacency) / 2;
      sum += added;
      squares += added * added;
    }
    const mean = sum / draws;
    const deviation = Math.sqrt((pairs * 0.001 * 0.999) / draws);
    expect(Math.abs(mean - 0.001 * pairs)).toBeLessThan(5 * deviation);
    const variance = squares / draws - mean * mean;
    expect(variance / (pairs * 0.001)).toBeGreaterThan(0.65); // five standard deviations of a variance over 400 draws
    expect(variance / (pairs * 0.001)).toBeLessThan(1.35);
  });
  test("tosses for pairs, graphs and seeds independently", () => {
    const graph = randomGraph(40, 0, 3);
    const edges = { add: 0.3, delete: 0 };
    const graphs = new CoinGraphs(graph, edges, 5);
    const others = new CoinGraphs(graph, edges, 6);
    const together = { tile: 0, tiles: 0, graphs: 0, seeds: 0 };
    let before = graphs.draw(0).adjacency;
    for (let number = 1; number <= DRAWS; number++) {
      const now = graphs.draw(number).adjacency;
      if (!hasEntry(now, 0, 20)) {
        before = now;
        continue;
      }
      if (hasEntry(now, 0, 21)) together.tile++; // beside it
      if (hasEntry(now, 0, 36)) together.tiles++; // at the same place of the next tile
      if (hasEntry(before, 0, 20)) together.graphs++;
      if (number % 2 === 0 && hasEntry(others.draw(number).adjacency, 0, 20)) together.seeds += 2;
      before = now;
    }
    for (const count of Object.values(together)) {
      expect(Math.abs(count / DRAWS - 0.09)).toBeLessThan(2 * tolerance(0.09));
    }
  });
  test("draws valid graphs, each by its number alone", () => {
    const graph = randomGraph(50, 0.1, 3);
    const edges = { add: 0.05, delete: 0.4 };
    for (const number of [0, 17, 2 ** 31 + 5]) {
      const drawn = checkGraph(new CoinGraphs(graph, edges, 1).draw(number));
      const others = new CoinGraphs(graph, edges, 1);
      others.draw(number + 1);
      expect(entryNames(others.draw(number).adjacency)).toEqual(entryNames(drawn.adjacency));
    }
  });
  test("refuses directed graphs", () => {
    const directed = randomGraph(9, 0.3, 3, { directed: true });
    expect(() => new CoinGraphs(directed, { add: 0.1, delete: 0 }, 0)).toThrow("undirected graphs only");
  });
});

describe("PairCoins", () => {
  test("turns probabilities into limits that are off by less than 2^-32", () => {
    const { limits, vanish } = new PairCoins(0, { add: 0.001, delete: 0.4 });
    expect(limits).toHaveLength(TILE_PAIRS);
    for (const k of [0, 1, 100, 255]) {
      expect(Math.abs(limits[k] / 2 ** 32 - (1 - 0.999 ** (k + 1)))).toBeLessThan(2 ** -32);
    }
    expect(Math.abs(vanish / 2 ** 32 - 0.4)).toBeLessThan(2 ** -32);
  });
  test("has words whose bits are even, and change by half when a bit of the place does", () => {
    const coins = new PairCoins(3, { add: 0, delete: 0.5 });
    const upperHalf = (number: number, i: number, j: number) => Number(coins.deletes(number, i, j));
    let ones = 0;
    let changes = 0;
    let tosses = 0;
    for (let number = 0; number < 20; number++) {
      for (let i = 0; i < 64; i++) {
        for (let bit = 0; bit < 16; bit++) {
          const toss = upperHalf(number, i, 100);
          ones += toss;
          changes += Number(toss !== upperHalf(number, i ^ (1 << bit), 100));
          tosses++;
        }
      }
    }
    expect(Math.abs(ones / tosses - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / (20 * 64)));
    expect(Math.abs(changes / tosses - 0.5)).toBeLessThan(tolerance(0.5, tosses / 2));
  });
});

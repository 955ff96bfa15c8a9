import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, entryNames, randomGraph } from "../../../test/support/any-graph.ts";
import { Rng } from "../../core/rng.ts";
import { numEntries } from "../csr.ts";
import { checkGraph, Graph } from "../graph.ts";
import { GeometricSkips } from "./geometric-skips.ts";
import { type FlipNoise, noNoise } from "./noise.ts";
import { NoisyGraphs } from "./noisy-graphs.ts";

const binary = (graph: Graph) => {
  const features = graph.features as Graph["adjacency"];
  return new Graph({ ...graph, features: { ...features, values: null } });
};

/** How often each entry is there in many draws. */
function frequencies(draw: (number: number) => Graph["adjacency"], draws: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let number = 0; number < draws; number++) {
    for (const name of entryNames(draw(number))) counts.set(name, (counts.get(name) ?? 0) + 1 / draws);
  }
  return counts;
}

/** Five standard deviations of a share over so many draws. */
const tolerance = (p: number, draws: number) => 5 * Math.sqrt((p * (1 - p)) / draws) + 1e-9;

describe("GeometricSkips", () => {
  test("skips k places with probability (1 − p)^k p", () => {
    const skips = new GeometricSkips(new Rng(1), 0.3);
    const counts = new Float64Array(1000);
    for (let t = 0; t < 20_000; t++) counts[skips.next()] += 1 / 20_000;
    for (let k = 0; k < 8; k++) {
      const p = 0.7 ** k * 0.3;
      expect(Math.abs(counts[k] - p)).toBeLessThan(tolerance(p, 20_000));
    }
  });
  test("never ends where nothing changes", () => {
    expect(new GeometricSkips(new Rng(1), 0).next()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("NoisyGraphs", () => {
  const DRAWS = 4000;
  test.each([
    ["undirected", false, { add: 0.1, delete: 0.4 }],
    ["directed", true, { add: 0.1, delete: 0.4 }],
    ["undirected", false, { add: 0.3, delete: 0 }],
    ["undirected", false, { add: 0, delete: 0.7 }],
    ["directed", true, { add: 0.6, delete: 0.9 }],
  ])("has every pair of a %s graph as often as the noise says", (_, directed, edges: FlipNoise) => {
    const graph = randomGraph(8, 0.4, 3, { directed });
    const graphs = new NoisyGraphs(graph, { edges, features: noNoise }, 5);
    const seen = frequencies((number) => graphs.draw(number).adjacency, DRAWS);
    const stored = new Set(entryNames(graph.adjacency));
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 8; j++) {
        const name = `${i},${j}`;
        const expected = i === j ? 0 : stored.has(name) ? 1 - edges.delete : edges.add;
        expect(Math.abs((seen.get(name) ?? 0) - expected)).toBeLessThan(tolerance(expected, DRAWS));
      }
    }
  });
  test("changes words of nodes as often as the noise says, and leaves edges alone", () => {
    const graph = binary(randomGraph(6, 0.4, 3, { sparse: true, numFeatures: 7 }));
    const features = { add: 0.2, delete: 0.5 };
    const graphs = new NoisyGraphs(graph, { edges: noNoise, features }, 5);
    const seen = frequencies((number) => graphs.draw(number).features as Graph["adjacency"], DRAWS);
    const stored = new Set(entryNames(graph.features as Graph["adjacency"]));
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 7; j++) {
        const expected = stored.has(`${i},${j}`) ? 0.5 : 0.2;
        expect(Math.abs((seen.get(`${i},${j}`) ?? 0) - expected)).toBeLessThan(tolerance(expected, DRAWS));
      }
    }
    expect(graphs.draw(0).adjacency).toBe(graph.adjacency);
  });
  test("changes pairs independently: two of them are added together as often as chance has it", () => {
    const graph = randomGraph(6, 0, 3);
    const graphs = new NoisyGraphs(graph, { edges: { add: 0.3, delete: 0 }, features: noNoise }, 5);
    let together = 0;
    for (let number = 0; number < DRAWS; number++) {
      const names = new Set(entryNames(graphs.draw(number).adjacency));
      if (names.has("0,1") && names.has("0,2")) together += 1 / DRAWS;
    }
    expect(Math.abs(together - 0.09)).toBeLessThan(tolerance(0.09, DRAWS));
  });
  test("draws valid graphs of any graph, each by its number alone", () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(1e9), (graph, number) => {
        const noise = { edges: { add: 0.2, delete: 0.5 }, features: noNoise };
        const drawn = checkGraph(new NoisyGraphs(graph, noise, 1).draw(number));
        const names = entryNames(drawn.adjacency);
        const others = new NoisyGraphs(graph, noise, 1);
        others.draw(number + 1);
        expect(entryNames(others.draw(number).adjacency)).toEqual(names);
      }),
    );
  });
  test("has room for more entries than are likely", () => {
    const graph = randomGraph(40, 0.02, 3);
    const drawn = new NoisyGraphs(graph, { edges: { add: 0.999, delete: 0 }, features: noNoise }, 1).draw(0);
    expect(numEntries(drawn.adjacency)).toBeGreaterThan(40 * 36);
    checkGraph(drawn);
  });
  test("refuses noise on features that are not binary", () => {
    const noise = { edges: noNoise, features: { add: 0.1, delete: 0.1 } };
    const dense = randomGraph(5, 0.4, 3);
    expect(() => new NoisyGraphs(dense, noise, 0)).toThrow("random: noise on features needs sparse binary features");
    const weighted = randomGraph(5, 0.4, 3, { sparse: true });
    expect(() => new NoisyGraphs(weighted, noise, 0)).toThrow("random: noise on features needs binary ones");
  });
});

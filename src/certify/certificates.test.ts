import { describe, expect, test } from "vitest";
import { checkNoise, type FlipNoise, noNoise } from "../graph/noise/noise.ts";
import { certificatesOf } from "./certificates.ts";
import { RadiusGrid } from "./certified-radii.ts";
import { accumulated, certifiedShares, certifiedWithin } from "./certified-shares.ts";
import { voteBounds } from "./vote-bounds.ts";
import { Votes } from "./votes.ts";

const onEdges = (edges: FlipNoise) => ({ edges, features: noNoise });
const both = { add: 0.001, delete: 0.4 };

describe("radii of unanimous votes, 10,000 samples and seven classes", () => {
  const unanimous = voteBounds(10_000, 0, { samples: 10_000, numClasses: 7, alpha: 0.05 });
  test.each([
    ["add", { add: 0.001, delete: 0 }, [0, 0]], // (1, 0) only
    ["delete", { add: 0, delete: 0.4 }, [7]], // (0, 1) … (0, 7)
    ["add and delete", both, [7, 0, 0]], // and (1, 0), (2, 0)
  ])("under noise that may %s are the published upper limits", (_, noise, radii) => {
    expect(new RadiusGrid(onEdges(noise), "edges").of(unanimous)).toEqual(radii);
  });
  test("are the same for words under noise on features, and none for edges", () => {
    const noise = { edges: noNoise, features: both };
    expect(new RadiusGrid(noise, "features").of(unanimous)).toEqual([7, 0, 0]);
    expect(new RadiusGrid(noise, "edges").of(unanimous)).toEqual([0]);
  });
});

describe("certificatesOf", () => {
  /** Four nodes with three classes: certain, divided, chosen differently by the first votes, and certain but wrong. */
  const bounding = new Votes(4, 3, Uint32Array.of(10_000, 0, 0, 5010, 4990, 0, 9000, 1000, 0, 0, 10_000, 0), 10_000);
  const choosing = new Votes(4, 3, Uint32Array.of(100, 0, 0, 51, 49, 0, 40, 60, 0, 0, 100, 0), 100);
  const labels = Int32Array.of(0, 0, 0, 2);
  const options = { noise: onEdges(both), alpha: 0.05 };
  const certificates = certificatesOf({ choosing, bounding }, [0, 1, 2, 3], options);

  test("certifies what is certain, and nothing else", () => {
    expect(certificates.map(({ radii }) => radii.edges)).toEqual([[7, 0, 0], [], [], [7, 0, 0]]);
    expect(certificates.map(({ chosen }) => chosen)).toEqual([0, 0, 1, 1]);
    expect(certificates.map(({ winner }) => winner)).toEqual([0, 0, 0, 1]);
  });
  test("counts nodes that are right: three by majority, one of them certified at each of nine radii", () => {
    const shares = certifiedShares(certificates, labels, "edges");
    expect(shares[0]).toEqual({ additions: 0, deletions: 0, share: 0.75 });
    expect(shares.slice(1).map(({ share }) => share)).toEqual(Array(9).fill(0.25));
    expect(accumulated(shares)).toBeCloseTo(9 * 0.25, 12);
  });
  test("holds against a budget only if it holds however the budget is divided", () => {
    const within = (budget: number, allowed: "additions" | "deletions" | "both") =>
      certifiedWithin(certificates, labels, "edges", { budget, allowed });
    expect(within(1, "both")).toBe(0.25); // (1, 0) and (0, 1)
    expect(within(2, "both")).toBe(0); // not (1, 1)
    expect(within(2, "additions")).toBe(0.25);
    expect(within(3, "additions")).toBe(0);
    expect(within(7, "deletions")).toBe(0.25);
    expect(within(8, "deletions")).toBe(0);
    expect(within(0, "both")).toBe(0.25);
  });
  test("certifies no more where all certificates must hold at once", () => {
    const atOnce = certificatesOf({ choosing, bounding }, [0, 1, 2, 3], { ...options, atOnce: true });
    expect(atOnce[0].radii.edges[0]).toBeLessThanOrEqual(7);
    const close = new Votes(1, 3, Uint32Array.of(9650, 350, 0), 10_000);
    const alone = certificatesOf({ choosing: close, bounding: close }, [0], options)[0].radii.edges;
    const many = certificatesOf({ choosing: close, bounding: close }, Array(10_000).fill(0), {
      ...options,
      atOnce: true,
    });
    expect(many[0].radii.edges[0]).toBeLessThanOrEqual(alone[0]);
  });
  test("certifies more of a node as its votes grow, and never a larger radius without the smaller", () => {
    const grid = new RadiusGrid(onEdges(both), "edges");
    let before: readonly number[] = [];
    for (let votes = 5000; votes <= 10_000; votes += 250) {
      const radii = grid.of(voteBounds(votes, 10_000 - votes, { samples: 10_000, numClasses: 7, alpha: 0.05 }));
      expect([...radii]).toEqual([...radii].sort((a, b) => b - a));
      expect(radii.length).toBeGreaterThanOrEqual(before.length);
      for (const [a, deletions] of before.entries()) expect(radii[a]).toBeGreaterThanOrEqual(deletions);
      before = radii;
    }
    expect(before).toEqual([7, 0, 0]);
  });
});

describe("noise and votes", () => {
  test("refuses what is no probability, and no noise at all", () => {
    expect(() => checkNoise(onEdges({ add: 1, delete: 0 }))).toThrow(
      "noise on edges: add must be a probability below 1",
    );
    expect(() => checkNoise({ edges: noNoise, features: { add: 0, delete: -0.1 } })).toThrow(
      "noise on features: delete",
    );
    expect(() => checkNoise(onEdges(noNoise))).toThrow("without noise nothing is certified");
  });
  test("counts the class of each node, and adds up", () => {
    const votes = new Votes(2, 3);
    votes.add([0, 2]);
    votes.add([1, 2]);
    const more = new Votes(2, 3);
    more.add([1, 0]);
    votes.addAll(more);
    expect([...votes.counts]).toEqual([1, 2, 0, 1, 0, 2]);
    expect(votes.samples).toBe(3);
    expect([votes.winner(0), votes.winner(1), votes.strongestOther(0, 1)]).toEqual([1, 2, 1]);
    expect(() => new Votes(2, 3, new Uint32Array(5))).toThrow("votes: 5 counts for 2 nodes and 3 classes");
  });
});

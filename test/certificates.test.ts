import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Constraints } from "../src/attack/constraints/constraints.ts";
import { globalAttacks } from "../src/attack/global-attacks.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { isCertified } from "../src/certify/certified-radii.ts";
import { type Certification, certify } from "../src/certify/certify.ts";
import { Voters } from "../src/certify/voters.ts";
import { Rng } from "../src/core/rng.ts";
import { syntheticCitation } from "../src/data/synthetic/synthetic-citation.ts";
import { applyFlips, type Flips, flipActions } from "../src/graph/flips.ts";
import type { Graph } from "../src/graph/graph.ts";
import { inducedSubgraph } from "../src/graph/induced-subgraph.ts";
import { noNoise } from "../src/graph/noise/noise.ts";
import { NoisyGraphs } from "../src/graph/noise/noisy-graphs.ts";
import { Gcn, gcnDefaults } from "../src/nn/models/gcn.ts";
import { createGdc, gdcDefaults } from "../src/nn/models/gdc.ts";
import { predictNodes } from "../src/nn/training/predict-nodes.ts";
import { train, trainDefaults } from "../src/nn/training/train.ts";
import { type DeviceGraph, toDevice, withGraph } from "../src/tensor/index.ts";
import { randomGraph } from "./support/any-graph.ts";
import { quick } from "./support/quick-attacks.ts";

const still = { additions: 0, deletions: 0 };
let cpu: Backend;
beforeAll(async () => {
  cpu = await createWasm({ threads: 1 });
});
afterAll(() => cpu.close());

describe("certificates of a graph of five nodes, of which every noisy version is looked at", () => {
  const PAIRS = 10;
  const edges = { add: 0.15, delete: 0.3 };
  const noise = { edges, features: noNoise };
  const pairs = Array.from({ length: 25 }, (_, at) => [Math.floor(at / 5), at % 5]).filter(([i, j]) => i < j);

  /** The graph whose edges are the pairs with a bit. */
  function graphOf(bits: number, like: Graph): Graph {
    const names = pairs.filter((_, at) => ((bits >> at) & 1) === 1);
    const flips = { sources: Int32Array.from(names, ([i]) => i), targets: Int32Array.from(names, ([, j]) => j) };
    return applyFlips(like, flips);
  }

  const countBits = (bits: number) => [...bits.toString(2)].filter((bit) => bit === "1").length;

  test("hold for every perturbed graph within the radius: none of 1023 changes a certified class", async () => {
    const none = randomGraph(5, 0, 8, { numFeatures: 6 });
    const view = toDevice(cpu, none);
    const model = new Gcn(cpu, { features: 6, classes: 3 }, { ...gcnDefaults, hidden: [8] }, new Rng(5));
    const classes: Int32Array[] = [];
    for (let bits = 0; bits < 2 ** PAIRS; bits++) {
      const one = withGraph(view, graphOf(bits, none));
      classes.push((await predictNodes(model, one)).predictions);
      one.dispose();
    }
    /** The exact probabilities of the smoothed model. */
    const smoothed = (from: number) => {
      const probabilities = Array.from({ length: 5 }, () => [0, 0, 0]);
      for (let to = 0; to < 2 ** PAIRS; to++) {
        const added = countBits(to & ~from);
        const deleted = countBits(from & ~to);
        const kept = countBits(from & to);
        const absent = PAIRS - added - deleted - kept;
        const p = edges.add ** added * edges.delete ** deleted * (1 - edges.delete) ** kept * (1 - edges.add) ** absent;
        for (let node = 0; node < 5; node++) probabilities[node][classes[to][node]] += p;
      }
      return probabilities;
    };
    let certified = 0;
    let changed = 0;
    for (const clean of [0b0000010011, 0b1100010110, 0b0011101001]) {
      const before = smoothed(clean);
      for (let to = 0; to < 2 ** PAIRS; to++) {
        const radius = { additions: countBits(to & ~clean), deletions: countBits(clean & ~to) };
        const after = smoothed(to);
        for (let node = 0; node < 5; node++) {
          const chosen = before[node].indexOf(Math.max(...before[node]));
          const bounds = { chosen: before[node][chosen], others: [...before[node]].sort((a, b) => b - a)[1] };
          const stays = after[node].indexOf(Math.max(...after[node])) === chosen;
          if (!stays) changed++;
          if (!isCertified(bounds, noise, { edges: radius, features: still })) continue;
          certified++;
          expect(stays).toBe(true);
        }
      }
    }
    expect(certified).toBeGreaterThan(20); // the test has something to say
    expect(changed).toBeGreaterThan(20);
    model.dispose();
    view.dispose();
  });
});

describe("certificates of a trained model", { timeout: 120_000 }, () => {
  let graph: Graph;
  let view: DeviceGraph;
  let model: Gcn;
  const noise = { edges: { add: 0.03, delete: 0.3 }, features: noNoise };
  const SAMPLES = 600;
  let certification: Certification;
  const nodes = Array.from({ length: 150 }, (_, node) => node);

  beforeAll(async () => {
    graph = inducedSubgraph(
      syntheticCitation(),
      Int32Array.from({ length: 150 }, (_, node) => node),
    );
    view = toDevice(cpu, graph);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    model = new Gcn(cpu, sizes, { ...gcnDefaults, hidden: [16] }, new Rng(0));
    const task = { train: nodes.slice(0, 100), val: nodes.slice(100), rng: new Rng(1) };
    const config = { ...trainDefaults, maxEpochs: 60, edgeNoiseAdd: 0.03, edgeNoiseDelete: 0.3 };
    await train(model, view, task, config);
    certification = await certify(model, view, { nodes, noise, samples: SAMPLES, preSamples: 50 });
  });
  afterAll(() => {
    model.dispose();
    view.dispose();
  });

  /** Additions and deletions of flips. */
  function radiusOf(flips: Flips) {
    const actions = flipActions(graph, flips);
    const deletions = actions.filter((action) => action === "remove").length;
    return { additions: actions.length - deletions, deletions };
  }

  test("certify many nodes, and some at radii beyond 0", () => {
    const radii = certification.certificates.map(({ radii }) => radii.edges);
    expect(radii.filter((radius) => radius.length > 0).length).toBeGreaterThan(75);
    expect(radii.filter((radius) => (radius[0] ?? 0) > 0).length).toBeGreaterThan(25);
  });

  test.each(["prbcd", "grbcd", "fgsm", "dice", "pgd"])(
    "are not broken by %s: within certified radii smoothed classes stay",
    async (name) => {
      let looked = 0;
      for (const [budget, only] of [
        [1, "additions"],
        [1, "removals"],
        [2, "removals"],
        [2, undefined],
      ] as const) {
        const constraints = new Constraints(graph, only ? { only } : {});
        const task = { nodes, budget, rng: new Rng(budget), constraints };
        const { perturbation } = await globalAttacks[name].run(model, view, task, quick[name]);
        const { additions, deletions } = radiusOf(perturbation.flips);
        const attacked = withGraph(view, applyFlips(graph, perturbation.flips));
        const voters = new Voters([model], attacked, noise, 77);
        const [votes] = await voters.count(0, SAMPLES);
        for (const { node, chosen, radii } of certification.certificates) {
          if (!(deletions <= (radii.edges[additions] ?? -1))) continue;
          looked++;
          expect(votes.winner(node)).toBe(chosen);
        }
        voters.dispose();
        attacked.dispose();
      }
      expect(looked).toBeGreaterThan(50);
    },
  );

  test("are the same whether votes are counted at once or in parts, and with other models beside", async () => {
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const gdc = createGdc(cpu, sizes, { ...gdcDefaults, hidden: [4], k: 16 }, new Rng(3));
    const together = new Voters([gdc, model], view, noise, 0);
    const first = await together.count(0, 7);
    const second = await together.count(7, 20);
    first[1].addAll(second[1]);
    first[0].addAll(second[0]);
    const alone = new Voters([model], view, noise, 0);
    const other = new Voters([gdc], view, noise, 0);
    expect((await alone.count(0, 20))[0].counts).toEqual(first[1].counts);
    expect((await other.count(0, 20))[0].counts).toEqual(first[0].counts);
    for (const voters of [together, alone, other]) voters.dispose();
    gdc.dispose();
  });

  test("need as much memory after many noisy graphs as after a few", async () => {
    const voters = new Voters([model], view, noise, 0);
    await voters.count(0, 5);
    const before = cpu.memory.current;
    await voters.count(5, 60);
    expect(cpu.memory.current).toBe(before);
    voters.dispose();
  });

  test("vote with what the model says about each noisy graph", async () => {
    const voters = new Voters([model], view, noise, 4);
    const [votes] = await voters.count(3, 4);
    const noisy = withGraph(view, new NoisyGraphs(graph, noise, 4).draw(3));
    const { predictions } = await predictNodes(model, noisy);
    for (let node = 0; node < graph.numNodes; node++) expect(votes.of(node, predictions[node])).toBe(1);
    noisy.dispose();
    voters.dispose();
  });

  test("refuses samples that are none", async () => {
    await expect(certify(model, view, { nodes, noise, samples: 0 })).rejects.toThrow("certify: samples must be whole");
    await expect(certify(model, view, { nodes, noise, samples: 1, preSamples: 1, alpha: 0 })).rejects.toThrow("alpha");
  });
});

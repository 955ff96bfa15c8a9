import { describe, expect, test } from "vitest";
import type { Backend } from "../src/backend/backend.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { createWebGpu } from "../src/backend/webgpu/webgpu.ts";
import { Voters } from "../src/certify/voters.ts";
import { Votes } from "../src/certify/votes.ts";
import { defaultsOf } from "../src/core/options/index.ts";
import { Rng } from "../src/core/rng.ts";
import { modelKinds } from "../src/defense/model-kinds.ts";
import { createSoftMedianGdc, softMedianGdcDefaults } from "../src/defense/robust-gdc.ts";
import { CoinGraphs } from "../src/graph/noise/coin-graphs.ts";
import { noNoise } from "../src/graph/noise/noise.ts";
import type { Model } from "../src/nn/model.ts";
import { predictNodes } from "../src/nn/training/predict-nodes.ts";
import {
  argmaxRows,
  Constants,
  type DeviceGraph,
  type GraphView,
  SparseMatrix,
  scope,
  toDevice,
  withGraph,
} from "../src/tensor/index.ts";
import type { Disposable } from "../src/tensor/scope.ts";
import { randomGraph } from "./support/any-graph.ts";
import { attackCase } from "./support/attack-case.ts";
import { roundsDiffusion } from "./support/rounds-diffusion.ts";
import { testGpu } from "./support/test-gpu.ts";

const device = testGpu();
const onGpu = "reason" in device ? test.skip : test;
const why = "reason" in device ? ` (skipped: ${device.reason})` : "";

const noise = { edges: { add: 0.05, delete: 0.4 }, features: noNoise };

interface VotingCase {
  readonly view: DeviceGraph;
  readonly models: readonly Model[];
}

/** A GCN and Soft Median GDC on a small graph, the same on every backend. */
async function votingCase(backend: Backend): Promise<VotingCase> {
  const { graph, view, model } = await attackCase(backend, 4, { numNodes: 40, density: 0.1 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const gdc = createSoftMedianGdc(backend, sizes, { ...softMedianGdcDefaults, hidden: [8], k: 10 }, new Rng(4));
  return { view, models: [model, gdc] };
}

/** Votes on a few noisy graphs. */
async function votes(backend: Backend): Promise<number[][]> {
  const { view, models } = await votingCase(backend);
  const counted = await new Voters(models, view, noise, 3).count(0, 12);
  await backend.close();
  return counted.map(({ counts }) => [...counts]);
}

/** How votes on graphs that are drawn as a GPU draws them must be: each graph is predicted on the reference. */
async function votesByCoins(model: Model, view: GraphView, first: number, end: number): Promise<number[]> {
  const graphs = new CoinGraphs(view.host!, noise.edges, 3);
  const counted = new Votes(view.numNodes, view.host!.numClasses);
  for (let number = first; number < end; number++) {
    const noisy = withGraph(view, graphs.draw(number));
    counted.add((await predictNodes(model, noisy)).predictions);
    noisy.dispose();
  }
  return [...counted.counts];
}

/** Models that ask for PageRank by push, which leaves some nodes with fewer entries than are kept. */
async function pushingCase(backend: Backend, epsilon = 1e-2): Promise<VotingCase> {
  const { graph, view } = await attackCase(backend, 4, { numNodes: 40, density: 0.1 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const options = { method: "push", hidden: [8], k: 10, epsilon };
  const models = ["gdc", "soft-median-gdc", "gdc-gat"].map((name) => {
    const kind = modelKinds[name];
    return kind.create(backend, sizes, { ...defaultsOf(kind.options), ...options }, new Rng(4));
  });
  return { view, models };
}

/** Answers models that ask for PageRank by push with the rows that a GPU pushes. */
class RoundConstants extends Constants {
  override of<T extends Disposable>(view: GraphView, key: string, _make: () => T): T {
    const [method, alpha, k, epsilon] = key.split(" ");
    expect(method).toBe("push");
    const options = { alpha: Number(alpha), k: Number(k), epsilon: Number(epsilon) };
    return SparseMatrix.upload(view.backend, roundsDiffusion(view.host!.adjacency, options)) as unknown as T;
  }
}

/** As {@link votesByCoins}, with these rows. */
async function votesByRounds(model: Model, view: GraphView, first: number, end: number): Promise<number[]> {
  const graphs = new CoinGraphs(view.host!, noise.edges, 3);
  const counted = new Votes(view.numNodes, view.host!.numClasses);
  for (let number = first; number < end; number++) {
    const noisy = withGraph(view, graphs.draw(number));
    const pass = { constants: new RoundConstants(), dropout: null };
    counted.add(await scope(() => argmaxRows(model.forward(noisy, pass))).read());
    noisy.dispose();
  }
  return [...counted.counts];
}

describe("votes on noisy graphs", () => {
  test("are the same on the CPU as on the reference", async () => {
    expect(await votes(await createWasm({ threads: 2 }))).toEqual(await votes(createReference()));
  });
  for (const [name, option, values] of [
    ["pprgo", "alpha", [0.1, 0.9]],
    ["jaccard-gcn", "threshold", [0, 0.4]],
  ] as const) {
    test(`of a ${name} are its own, even beside one with another ${option}`, async () => {
      const backend = createReference();
      const graph = randomGraph(30, 0.2, 5, { sparse: true });
      const view = toDevice(backend, graph);
      const sizes = { features: graph.numFeatures, classes: graph.numClasses };
      const { create, options } = modelKinds[name];
      const models = values.map((value) =>
        create(backend, sizes, { ...defaultsOf(options), [option]: value }, new Rng(1)),
      );
      const together = await new Voters(models, view, noise, 3).count(0, 20);
      for (const [m, { counts }] of together.entries())
        expect(counts).toEqual((await new Voters([models[m]], view, noise, 3).count(0, 20))[0].counts);
    });
  }
  test("are not counted of a model that draws random numbers of its own", async () => {
    const backend = createReference();
    const graph = randomGraph(30, 0.2, 5, { sparse: true });
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const rgcn = modelKinds["rgcn"].create(backend, sizes, defaultsOf(modelKinds["rgcn"].options), new Rng(1));
    const counted = new Voters([rgcn], toDevice(backend, graph), noise, 3).count(0, 5);
    await expect(counted).rejects.toThrow("rgcn draws random numbers");
  });
  for (const subgroups of [true, false]) {
    const which = subgroups ? "" : " without subgroups";
    onGpu(`are on a GPU${which} what models say about each graph alone${why}`, async () => {
      const backend = await createWebGpu({ subgroups });
      const { view, models } = await votingCase(backend);
      const reference = await votingCase(createReference());
      const expected = (m: number, end: number) => votesByCoins(reference.models[m], reference.view, 5, end);
      const before = backend.memory.current;
      const gcn = new Voters([models[0]], view, noise, 3);
      expect(gcn.drawings).toEqual(["device"]);
      const [first] = await gcn.count(5, 20);
      const [second] = await gcn.count(20, 305); // in two batches
      first.addAll(second);
      expect(first.samples).toBe(300);
      expect([...first.counts]).toEqual(await expected(0, 305));
      gcn.dispose();
      const both = new Voters(models, view, noise, 3);
      expect(both.drawings).toEqual(["device", "device"]);
      const counted = await both.count(5, 13);
      for (const [m, { counts }] of counted.entries()) expect([...counts]).toEqual(await expected(m, 13));
      both.dispose();
      expect(backend.memory.current).toBe(before);
      await backend.close();
    });
  }
  onGpu(`are on a GPU what models with PageRank by push say about each graph${why}`, async () => {
    const backend = await createWebGpu();
    const { view, models } = await pushingCase(backend);
    const reference = await pushingCase(createReference());
    const voters = new Voters(models, view, noise, 3);
    expect(voters.drawings).toEqual(["device", "device", "device"]);
    const counted = await voters.count(5, 25);
    for (const [m, { counts }] of counted.entries()) {
      expect([...counts]).toEqual(await votesByRounds(reference.models[m], reference.view, 5, 25));
    }
    voters.dispose();
    await backend.close();
  });
  onGpu(`are by push on the host where the device has no room for the tolerance${why}`, async () => {
    const backend = await createWebGpu();
    const { view, models } = await pushingCase(backend, 1e-9);
    const voters = new Voters(models, view, noise, 3);
    expect(voters.drawings).toEqual(["host", "host", "host"]);
    voters.dispose();
    await backend.close();
  });
  onGpu(`are counted on a GPU for models that need graphs on the host, too${why}`, async () => {
    const backend = await createWebGpu();
    const on = (which: Backend) => {
      const graph = randomGraph(30, 0.2, 5, { sparse: true });
      const sizes = { features: graph.numFeatures, classes: graph.numClasses };
      const models = ["jaccard-gcn", "sgc", "gat"].map((name) =>
        modelKinds[name].create(which, sizes, defaultsOf(modelKinds[name].options), new Rng(1)),
      );
      return { view: toDevice(which, graph), models };
    };
    const { view, models } = on(backend);
    const reference = on(createReference());
    const voters = new Voters(models, view, noise, 3);
    expect(voters.drawings).toEqual(["host", "device", "device"]);
    const counted = await voters.count(0, 5);
    const [jaccard] = await new Voters([reference.models[0]], reference.view, noise, 3).count(0, 5);
    expect(counted[0].counts).toEqual(jaccard.counts);
    for (const m of [1, 2]) {
      expect([...counted[m].counts]).toEqual(await votesByCoins(reference.models[m], reference.view, 0, 5));
    }
    voters.dispose();
    await backend.close();
  });
});

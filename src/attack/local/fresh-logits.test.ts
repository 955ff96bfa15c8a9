import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import type { Backend } from "../../backend/backend.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { Rng } from "../../core/rng.ts";
import { createSoftMedianPprgo, robustPprgoDefaults } from "../../defense/robust-pprgo.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import type { Flips } from "../../graph/flips.ts";
import { Graph } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import type { Model } from "../../nn/model.ts";
import { Gcn, gcnDefaults } from "../../nn/models/gcn.ts";
import { createGdc, gdcDefaults } from "../../nn/models/gdc.ts";
import { Pprgo, pprgoDefaults } from "../../nn/models/pprgo.ts";
import { Sgc } from "../../nn/models/sgc.ts";
import { toDevice, withFlips } from "../../tensor/index.ts";
import { freshLogits } from "./fresh-logits.ts";
import { nodeLogits } from "./node-logits.ts";

const sizes = { features: 3, classes: 3 };
const push = { alpha: 0.2, epsilon: 1e-3, k: 6 };

type Make = (backend: Backend, rng: Rng) => Model;

const MODELS: Record<string, Make> = {
  "a GCN of one layer": (on, rng) => new Gcn(on, sizes, { ...gcnDefaults, hidden: [] }, rng),
  "a GCN of two layers": (on, rng) => new Gcn(on, sizes, { ...gcnDefaults, hidden: [4] }, rng),
  "a GCN of three layers with batch norm": (on, rng) =>
    new Gcn(on, sizes, { ...gcnDefaults, hidden: [5, 4], batchNorm: true }, rng),
  "a GCN normalised by row": (on, rng) =>
    new Gcn(on, sizes, { ...gcnDefaults, hidden: [4], normalisation: "row" }, rng),
  "SGC of three steps": (on, rng) => new Sgc(on, sizes, { steps: 3 }, rng),
  "SGC of no steps": (on, rng) => new Sgc(on, sizes, { steps: 0 }, rng),
  GDC: (on, rng) => createGdc(on, sizes, { ...gdcDefaults, hidden: [4], method: "push" }, rng),
  PPRGo: (on, rng) => new Pprgo(on, sizes, { ...pprgoDefaults, ...push, hidden: [5] }, rng),
  "Soft Median PPRGo": (on, rng) =>
    createSoftMedianPprgo(on, sizes, { ...robustPprgoDefaults, ...push, hidden: [5], temperature: 0.7 }, rng),
};

/** Distinct pairs anywhere in the graph, at the node and elsewhere. */
function drawFlips(numNodes: number, directed: boolean, count: number, rng: Rng): Flips {
  const pairs = new Map<string, [number, number]>();
  while (pairs.size < count) {
    const a = rng.integer(numNodes);
    const b = rng.integer(numNodes);
    if (a === b) continue;
    const pair: [number, number] = directed || a < b ? [a, b] : [b, a];
    pairs.set(pair.join(), pair);
  }
  const all = [...pairs.values()];
  return { sources: Int32Array.from(all, ([a]) => a), targets: Int32Array.from(all, ([, b]) => b) };
}

async function largestDifference(model: Model, graph: Graph, node: number, flips: Flips): Promise<number> {
  const view = toDevice(model.parameters.values().next().value!.backend, graph);
  const perturbed = withFlips(view, flips);
  const [whole] = await nodeLogits(model, perturbed, [node]);
  const fresh = await freshLogits(model, view)(node, flips);
  for (const item of [perturbed, view]) item.dispose();
  return Math.max(...Array.from(whole, (logit, c) => Math.abs(logit - fresh[c])));
}

describe.each(Object.keys(MODELS))("freshLogits of %s", (name) => {
  let wasm: Backend;
  beforeAll(async () => {
    wasm = await createWasm({ threads: 1 });
  });
  afterAll(() => wasm.close());

  test("are those of the whole graph with the flips applied, on any graph", async () => {
    const reference = createReference();
    const models = [reference, wasm].map((backend) => MODELS[name](backend, new Rng(7)));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1e6),
        fc.boolean(),
        fc.integer({ min: 5, max: 30 }),
        fc.constantFrom(0.03, 0.1, 0.4),
        fc.integer({ min: 1, max: 4 }),
        async (seed, directed, numNodes, density, count) => {
          const graph = randomGraph(numNodes, density, seed, { directed });
          const rng = new Rng(seed);
          const flips = drawFlips(numNodes, directed, count, rng);
          const node = rng.integer(numNodes);
          const [onReference, onWasm] = models;
          expect(await largestDifference(onReference, graph, node, flips)).toBeLessThan(1e-10);
          expect(await largestDifference(onWasm, graph, node, flips)).toBeLessThan(1e-5);
        },
      ),
      { numRuns: 25 },
    );
  });
});

test.each(["a GCN of two layers", "SGC of three steps", "PPRGo"])(
  "freshLogits of %s take memory for the surroundings of the node, not for the graph",
  async (name) => {
    const numNodes = 20_000;
    const places = Array.from({ length: numNodes - 1 }, (_, i) => i);
    const path = symmetrise(
      csrFromEntries(
        numNodes,
        numNodes,
        places,
        places.map((i) => i + 1),
      ),
    );
    const data = Float32Array.from({ length: 3 * numNodes }, (_, i) => (i % 7) - 3);
    const features = { numRows: numNodes, numCols: 3, data };
    const labels = new Int32Array(numNodes).map((_, i) => i % 3);
    const backend = createReference();
    const view = toDevice(backend, new Graph({ adjacency: path, features, labels, directed: false }));
    const fresh = freshLogits(MODELS[name](backend, new Rng(0)), view);
    const before = backend.memory.current;
    backend.memory.resetPeak();
    await fresh(1000, { sources: Int32Array.of(1000), targets: Int32Array.of(1500) });
    expect(backend.memory.peak - before).toBeLessThan(numNodes);
    expect(backend.memory.current).toBe(before);
  },
);

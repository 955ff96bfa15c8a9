import { describe, expect, test } from "vitest";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import type { Backend } from "../../../backend/backend.ts";
import { createWasm } from "../../../backend/wasm/wasm.ts";
import { createWebGpu } from "../../../backend/webgpu/webgpu.ts";
import { Rng } from "../../../core/rng.ts";
import { type Csr, csrFromEntries } from "../../../graph/csr.ts";
import { Graph } from "../../../graph/graph.ts";
import { symmetrise } from "../../../graph/symmetrise.ts";
import { toDevice } from "../../../tensor/index.ts";
import { Gcn, type GcnConfig, gcnDefaults } from "../../models/gcn.ts";
import { train, trainDefaults } from "../train.ts";
import { trainSideBySide } from "./train-side-by-side.ts";

const NODES = 1040; // long sums are split into parts
const WORDS = 20;
const CLASSES = 7;
const MODELS = 2;

/** A ring with a node of 300 neighbours and a word of 400 nodes: kernels sum up long rows in an order of their own. */
function graphWithLongRows(): Graph {
  const rng = new Rng(4);
  const ring = Array.from({ length: NODES }, (_, i) => [i, (i + 1) % NODES]);
  const hub = Array.from({ length: 300 }, (_, i) => [0, 3 * i + 2]);
  return new Graph({
    name: "hub",
    adjacency: symmetrise(matrixOf(NODES, [...ring, ...hub])),
    features: words(rng),
    labels: Int32Array.from({ length: NODES }, () => rng.integer(CLASSES)),
    numClasses: CLASSES,
    directed: false,
  });
}

function words(rng: Rng): Csr {
  const entries = Array.from({ length: NODES }, (_, i) => [i, 1 + rng.integer(WORDS - 1)]);
  const common = Array.from({ length: 400 }, (_, i) => [i, 0]);
  return {
    ...matrixOf(WORDS, [...entries, ...common]),
    values: Float32Array.from({ length: NODES + 400 }, () => rng.uniform()),
  };
}

function matrixOf(numCols: number, entries: readonly number[][]): Csr {
  return csrFromEntries(
    NODES,
    numCols,
    entries.map(([i]) => i),
    entries.map(([, j]) => j),
  );
}

/** The weights of models after a few epochs, from the same beginnings each time. */
async function weightsAfter(backend: Backend, config: Partial<GcnConfig>, way: "one by one" | "side by side") {
  const view = toDevice(backend, graphWithLongRows());
  const sizes = { features: WORDS, classes: CLASSES };
  const options = { ...gcnDefaults, ...config };
  const models = Array.from({ length: MODELS }, (_, g) => new Gcn(backend, sizes, options, new Rng(g)));
  const tasks = models.map((_, g) => {
    const order = new Rng(50 + g).shuffle(Int32Array.from({ length: NODES }, (_, i) => i));
    return { train: order.slice(0, 200 + g), val: order.slice(400, 600), rng: new Rng(g, 2) };
  });
  const training = { ...trainDefaults, maxEpochs: 2 };
  if (way === "side by side") await trainSideBySide(models, view, tasks, training);
  else for (const [g, model] of models.entries()) await train(model, view, tasks[g], training);
  const weights: number[][] = [];
  for (const { parameters } of models) {
    for (const tensor of parameters.values()) weights.push([...(await tensor.read())]);
  }
  return weights;
}

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

/** How many weights differ, however little. */
async function numDifferent(create: () => Promise<Backend>, config: Partial<GcnConfig>): Promise<number> {
  const backend = await create();
  const together = await weightsAfter(backend, config, "side by side");
  const alone = await weightsAfter(backend, config, "one by one");
  await backend.close();
  return together.flatMap((values, t) => values.filter((value, e) => value !== alone[t][e])).length;
}

describe("weights trained side by side have the bits of weights trained alone", () => {
  test("on the CPU", async () => {
    expect(await numDifferent(() => createWasm({ threads: 2 }), { hidden: [20, 64] })).toBe(0);
  });
  onGpu(`on a GPU${why}`, async () => {
    expect(await numDifferent(() => createWebGpu(), { hidden: [20, 64] })).toBe(0);
  });
});

// Seconds per epoch of training and PR-BCD on a GPU, on graphs of known shapes with the models that PyTorch Geometric is
// measured with: node bench/webgpu-epochs.ts <shape> <train | block size> ... prints one JSON line per measurement.
import { execFileSync } from "node:child_process";
import { edgeBudget } from "../src/attack/budget.ts";
import { prbcd } from "../src/attack/prbcd.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createWebGpu } from "../src/backend/webgpu/webgpu.ts";
import type { Progress } from "../src/core/progress.ts";
import { Rng } from "../src/core/rng.ts";
import { generateShape } from "../src/graph/generate-shape.ts";
import { type ShapeName, shapeNamed } from "../src/graph/shapes.ts";
import { Gcn, gcnDefaults } from "../src/nn/gcn.ts";
import { train, trainDefaults } from "../src/nn/train.ts";
import { toDevice } from "../src/tensor/index.ts";

const HIDDEN: Record<string, number[]> = { cora_ml: [64], pubmed: [64], arxiv: [256, 256], products: [256, 256] };
const WARM_UP = 10;

class Stamps implements Progress {
  readonly times: number[] = [];
  private readonly skip: number;
  constructor(skip = WARM_UP) {
    this.skip = skip;
  }
  update(): void {
    this.times.push(performance.now());
  }
  get median(): number {
    const timed = this.times.slice(this.skip);
    const gaps = timed.slice(1).map((time, i) => time - timed[i]!);
    return gaps.sort((a, b) => a - b)[gaps.length >> 1]!;
  }
}

const [shapeName = "cora_ml", ...jobs] = process.argv.slice(2);
const shape = shapeNamed(shapeName);
let begin = performance.now();
const graph = generateShape(shapeName as ShapeName);
const generated = performance.now() - begin;
const backend = await createWebGpu();
const view = toDevice(backend, graph);
const sizes = { features: shape.numFeatures, classes: shape.numClasses };
const config = { ...gcnDefaults, hidden: HIDDEN[shapeName]!, dropout: 0 };
const model = new Gcn(backend, sizes, config, new Rng(0));
const order = new Rng(0).shuffle(Int32Array.from({ length: graph.numNodes }, (_, i) => i));
const half = order.slice(0, graph.numNodes >> 1);
const attacked = order.slice(graph.numNodes >> 1, (3 * graph.numNodes) >> 2);
const val = order.slice((3 * graph.numNodes) >> 2);

for (const job of jobs) {
  const [what, count] = job.split("x") as [string, string | undefined];
  const epochs = Number(count ?? 30) + WARM_UP;
  backend.memory.resetPeak();
  begin = performance.now();
  const result = what === "train" ? await benchTrain(epochs) : await benchAttack(Number(what), epochs);
  const seconds = (performance.now() - begin) / 1000;
  const memory = { peakBytes: backend.memory.peak, ...used(backend) };
  console.log(
    JSON.stringify({
      system: "rgnn",
      shape: shapeName,
      entries: graph.adjacency.colIdx.length,
      ...result,
      seconds,
      ...memory,
    }),
  );
}
console.error(`${shapeName} generated in ${(generated / 1000).toFixed(1)} s`);
await backend.close();

async function benchTrain(epochs: number) {
  const stamps = new Stamps();
  const task = { train: half, val, rng: new Rng(1) };
  const stop = { ...trainDefaults, maxEpochs: epochs };
  const { trainLoss } = await train(model, view, task, stop, { progress: stamps });
  return { attack: "train", msPerEpoch: stamps.median, loss: trainLoss.at(-1) };
}

async function benchAttack(blockSize: number, epochs: number) {
  const stamps = new Stamps();
  const task = { nodes: attacked, budget: edgeBudget(graph, 0.1), rng: new Rng(2), progress: stamps };
  const { accuracy, trace } = await prbcd(model, view, task, { blockSize, epochs, fineTuneEpochs: 1, samples: 1 });
  return { attack: "prbcd", block: blockSize, msPerEpoch: stamps.median, accuracy, mass: trace.at(-1)?.mass };
}

/** Memory that the device has given, and what the driver counts for the whole GPU. */
function used({ memory }: Backend): Record<string, unknown> {
  const reserved = (memory as unknown as { reserved: number }).reserved;
  try {
    const text = execFileSync("nvidia-smi", ["--query-gpu=memory.used", "--format=csv,noheader"], { encoding: "utf8" });
    return { reservedBytes: reserved, gpuUsed: text.trim() };
  } catch {
    return { reservedBytes: reserved };
  }
}

import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import { voteBatches } from "../certify/vote-batches.ts";
import { Voters } from "../certify/voters.ts";
import { defaultsOf, resolveOptions } from "../core/options/index.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { robustModels } from "../defense/robust-models.ts";
import { countBatches } from "../experiment/certify/count-batches.ts";
import type { NamedModel } from "../experiment/certify/named-model.ts";
import { weightsOf } from "../experiment/certify/vote-job.ts";
import { votingPlan } from "../experiment/certify/voting-plan.ts";
import type { Graph } from "../graph/graph.ts";
import { CoinGraphs } from "../graph/noise/coin-graphs.ts";
import { noNoise } from "../graph/noise/noise.ts";
import { NoisyGraphs } from "../graph/noise/noisy-graphs.ts";
import type { ModelKind } from "../nn/models/model-kind.ts";
import { vanillaModels } from "../nn/models/vanilla-models.ts";
import { predictNodes } from "../nn/training/predict-nodes.ts";
import { type DeviceGraph, toDevice, withGraph } from "../tensor/index.ts";
import { gatherNeed } from "./bench-case.ts";
import type { BenchDevice, OpenBackend } from "./bench-device.ts";
import type { Ceilings } from "./ceilings.ts";
import { clockedKernels } from "./clocked-kernels.ts";
import { casesOf, coraCase, type EpochCase, pubmedCase } from "./epoch-case.ts";
import { floorSeconds, NeedCounter, type Needs } from "./need-counter.ts";

/** How many noisy graphs a model votes on per second. */
export interface VoteRate {
  readonly shape: string;
  readonly model: string;
  /** Threads that vote at the same time, each on its own noisy graph; 1 with a GPU. */
  readonly threads: number;
  readonly samplesPerSecond: number;
  /** Bytes for one noisy graph: rows that its products read, its edges (written, then read), and their random words. */
  readonly bytesPerSample: number;
  /** Least seconds for one noisy graph: these bytes and the flops of its products, at the ceilings of the machine. */
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
  readonly check: string;
  /** Times of kernels for a thousand noisy graphs, by the clock of a GPU, which slows the run down. */
  readonly kernels?: readonly KernelTime[];
}

export interface VoteReport {
  readonly device: string;
  readonly ceilings: readonly Ceilings[];
  readonly votes: readonly VoteRate[];
}

/** One graph and model to measure. */
export interface VoteCase {
  readonly epochCase: EpochCase;
  readonly model: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Noisy graphs on each thread of a CPU. */
  readonly samples: number;
  /** Noisy graphs per batch on a GPU. Default: as many as `Voters` choose. */
  readonly batch?: number;
}

/** For PubMed, because its exact PageRank is a matrix of 1.5 GB. */
const push = { method: "push" };

const CASES: readonly VoteCase[] = [
  { epochCase: coraCase, model: "gcn", options: {}, samples: 400 },
  { epochCase: coraCase, model: "soft-median-gdc", options: {}, samples: 12 },
  { epochCase: pubmedCase, model: "gcn", options: {}, samples: 60 },
  { epochCase: pubmedCase, model: "soft-median-gdc", options: push, samples: 4 },
];

const kinds: Readonly<Record<string, ModelKind>> = { ...vanillaModels, ...robustModels };
const noise = { edges: { add: 0.001, delete: 0.4 }, features: noNoise };
const SEED = 1;
/** Batches on each thread of a CPU. Time counts from the end of the first batches, when every thread is busy. */
const BATCHES = 4;
/** Most batches on a GPU; milliseconds of warm-up, until its kernels are optimised; milliseconds that count. */
const GPU_BATCHES = 4000;
const GPU_WARM_UP = 1000;
const GPU_TIME = 3000;
/**
 * On a GPU, one vote in this many may differ from the prediction: it rounds differently when it normalises the graphs
 * that it draws, and pushes nodes in another order.
 */
const MAY_DIFFER = 1000;

/**
 * Times the votes of a GCN and of Soft Median GDC on noisy versions of graphs of known shapes. `measured` is called
 * with the rates of each case as soon as they are known.
 */
export async function benchCertify(
  device: BenchDevice,
  { shape, threads }: { readonly shape?: string | undefined; readonly threads: number },
  progress: Progress,
  measured: (rates: readonly VoteRate[]) => void = () => {},
): Promise<VoteReport> {
  const cases = casesOf(CASES, shape);
  const ceilings = [await device.ceilings()];
  const votes: VoteRate[] = [];
  for (const [k, one] of cases.entries()) {
    progress.update(k, cases.length, `${one.epochCase.name}, ${one.model}`);
    const rates = await measureVotes(device, one, threads, ceilings[0]);
    measured(rates);
    votes.push(...rates);
  }
  progress.update(cases.length, cases.length, "done");
  return { device: device.description, ceilings, votes };
}

/** Measures the votes per second of one case. */
export async function measureVotes(
  device: BenchDevice,
  one: VoteCase,
  threads: number,
  ceilings: Ceilings,
): Promise<VoteRate[]> {
  const opened = await device.open(1); // each thread votes on its own graphs
  const { backend } = opened;
  const graph = one.epochCase.graph();
  const view = toDevice(backend, graph);
  const kind = kinds[one.model];
  const options = resolveOptions(one.model, kind.options, { ...defaultsOf(kind.options), ...one.options });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = { kind: one.model, model: kind.create(backend, sizes, options, new Rng(0)) };
  try {
    const needs = needsOf(graph, one, options as { hidden: number[]; k?: number });
    const check = await checkVotes(model, view);
    const known = { shape: one.epochCase.name, model: one.model, bytesPerSample: bytesIn(needs), check };
    const numbers = device.name === "webgpu" || threads === 1 ? [1] : [1, threads];
    const rates: VoteRate[] = [];
    for (const count of numbers) {
      const samplesPerSecond =
        device.name === "webgpu"
          ? await gpuRate(model, view, one.batch)
          : await rateOf(model, view, one.samples, count);
      const floor = floorSeconds(needs, ceilings) * (device.name === "cpu" ? threads / count : 1);
      const kernels = await kernelsOfVotes(opened, model, view, one.batch);
      rates.push({ ...known, threads: count, samplesPerSecond, floor, ratio: floor * samplesPerSecond, ...kernels });
    }
    return rates;
  } finally {
    model.model.dispose();
    view.dispose();
    await backend.close();
  }
}

async function rateOf(model: NamedModel, view: DeviceGraph, samples: number, threads: number): Promise<number> {
  const graph = view.host!;
  const size = Math.ceil(samples / BATCHES);
  const wanted = { choosing: 0, bounding: size * BATCHES * threads };
  const batches = voteBatches({ choosing: 0, bounding: 0 }, wanted, size);
  const job = { noise, noiseSeed: SEED, models: await weightsOf([model], graph), batches };
  const session = { threads, graph, view };
  let begin = 0;
  let arrived = 0;
  for await (const _ of countBatches({ session, models: [model], job, signal: undefined })) {
    arrived++;
    if (arrived === threads) begin = performance.now();
  }
  return ((arrived - threads) * size) / ((performance.now() - begin) / 1000);
}

async function gpuRate(model: NamedModel, view: DeviceGraph, fewer?: number): Promise<number> {
  const graph = view.host!;
  const models = [model];
  const batch = fewer ?? votingPlan(view, { models, noise, noiseSeed: SEED }).batch;
  const wanted = { choosing: 0, bounding: batch * GPU_BATCHES };
  const batches = voteBatches({ choosing: 0, bounding: 0 }, wanted, batch);
  const job = { noise, noiseSeed: SEED, models: await weightsOf(models, graph), batches };
  const start = performance.now();
  let begin: number | null = null;
  let counted = 0;
  for await (const _ of countBatches({ session: { threads: 1, graph, view }, models, job, signal: undefined })) {
    const now = performance.now();
    if (begin !== null) counted += batch;
    else if (now - start > GPU_WARM_UP) begin = now;
    if (counted > 0 && now - begin! > GPU_TIME) break;
  }
  return counted / ((performance.now() - begin!) / 1000);
}

/** Kernels for each thousand noisy graphs. */
async function kernelsOfVotes(
  opened: OpenBackend,
  { model }: NamedModel,
  view: DeviceGraph,
  fewer?: number,
): Promise<Pick<VoteRate, "kernels">> {
  if (!opened.kernelTimes) return {};
  const voters = new Voters([model], view, noise, SEED);
  const samples = fewer ?? voters.batch;
  try {
    await voters.count(0, samples); // computes the products that are cached
    return await clockedKernels(opened, samples / 1000, () => voters.count(0, samples));
  } finally {
    voters.dispose();
  }
}

/** What one noisy graph needs at least, if the first dense product is kept and graphs are drawn one by one. */
function needsOf(graph: Graph, { model }: VoteCase, { hidden, k = 0 }: { hidden: number[]; k?: number }): Needs {
  const { numNodes, numEdges } = graph;
  const entries = new NoisyGraphs(graph, noise, SEED).draw(0).numEntries;
  const added = entries / 2 - (1 - noise.edges.delete) * numEdges;
  const counter = new NeedCounter();
  counter.add({ bound: "words", amount: 2 * (added + noise.edges.delete * numEdges) });
  counter.add({ bound: "stream", amount: 2 * 4 * entries }); // columns, written and read
  const read = model === "gcn" ? entries + numNodes : k * numNodes;
  const widths = [...hidden, graph.numClasses];
  for (const [l, width] of widths.entries()) {
    if (l > 0) counter.addProduct({ m: numNodes, k: widths[l - 1], n: width });
    counter.add(gatherNeed(read, width, numNodes));
  }
  return counter.needs;
}

function bytesIn({ gather, shared, cached, stream, words }: Needs): number {
  return gather + shared + cached + stream + 4 * words;
}

/** Throws unless the votes on one noisy graph are the model's predictions for it. */
async function checkVotes({ model }: NamedModel, view: DeviceGraph): Promise<string> {
  const voters = new Voters([model], view, noise, SEED);
  const [drawing] = voters.drawings;
  const graphs =
    drawing === "device" ? new CoinGraphs(view.host!, noise.edges, SEED) : new NoisyGraphs(view.host!, noise, SEED);
  const noisy = withGraph(view, graphs.draw(0));
  try {
    const [votes] = await voters.count(0, 1);
    const { predictions } = await predictNodes(model, noisy);
    const wrong = predictions.filter((chosen, node) => votes.of(node, chosen) !== 1).length;
    const allowed = drawing === "device" ? predictions.length / MAY_DIFFER : 0;
    if (wrong > allowed) throw new Error(`bench: ${wrong} votes are not what the model says`);
    return `${predictions.length - wrong} of ${predictions.length} votes as predicted, graphs drawn on the ${drawing}`;
  } finally {
    noisy.dispose();
    voters.dispose();
  }
}

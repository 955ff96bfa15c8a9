import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import type { Gcn } from "../nn/models/gcn.ts";
import { evaluate } from "../nn/training/evaluate.ts";
import { trainSideBySide } from "../nn/training/side-by-side/train-side-by-side.ts";
import { type History, type TrainConfig, train, trainDefaults, type Watch } from "../nn/training/train.ts";
import { toDevice } from "../tensor/index.ts";
import type { BenchDevice } from "./bench-device.ts";
import { clockedKernels } from "./clocked-kernels.ts";
import { caseModel, caseSplit, coraCase } from "./epoch-case.ts";

/** Whole trainings of one model with many seeds, one after the other and side by side. */
export interface SideBySideResult {
  readonly shape: string;
  readonly models: number;
  readonly oneByOne: TrainingTimes;
  readonly sideBySide: TrainingTimes;
  /** Trainings per second side by side / one after the other. */
  readonly gain: number;
  /** Test accuracy: means over models, one by one and side by side, and the largest difference of one model. */
  readonly accuracy: { readonly oneByOne: number; readonly sideBySide: number; readonly mostApart: number };
  /** Models whose best epoch is the same both ways. */
  readonly sameBestEpoch: number;
  readonly peakBytes: number;
  /** Kernels of one side-by-side epoch by the device's own clock; missing if it has none. */
  readonly kernels?: readonly KernelTime[];
}

export interface TrainingTimes {
  readonly seconds: number;
  readonly trainingsPerSecond: number;
  /** Epochs of all models together. */
  readonly epochs: number;
  /** Seconds of an epoch of one model or, side by side, of an epoch of all models that are still training. */
  readonly secondsPerEpoch: number;
}

interface Plan {
  readonly models: number;
  readonly config: TrainConfig;
}

const PLANS: Record<BenchDevice["name"], Plan> = {
  cpu: { models: 4, config: { ...trainDefaults, maxEpochs: 40 } },
  webgpu: { models: 32, config: trainDefaults },
};

/** Milliseconds of the same work before it is timed: drivers of GPUs recompile kernels after a while in use. */
const WARM_UP = 1500;
/** Epochs of the run in which the device clocks kernels. */
const CLOCKED = 20;

/** Trains a GCN on the shape of Cora ML with many seeds, each with its own split and its own early stopping. */
export async function benchSideBySide(device: BenchDevice, progress: Progress): Promise<SideBySideResult> {
  const { models, config } = PLANS[device.name];
  const opened = await device.open();
  const { backend } = opened;
  const graph = coraCase.graph();
  const view = toDevice(backend, graph);
  const seeds = Array.from({ length: models }, (_, seed) => seed);
  const splits = seeds.map((seed) => caseSplit(graph, seed));
  const untrained = () => seeds.map((seed) => caseModel(backend, graph, coraCase, seed));
  const tasks = () => seeds.map((seed) => ({ ...splits[seed], rng: new Rng(seed, 1) }));

  const oneByOne = async (gcns: readonly Gcn[], watch: Watch = {}): Promise<History[]> => {
    const own = tasks();
    const histories: History[] = [];
    for (const [g, gcn] of gcns.entries()) histories.push(await train(gcn, view, own[g], config, watch));
    return histories;
  };
  const together = (gcns: readonly Gcn[], watch: Watch = {}) => trainSideBySide(gcns, view, tasks(), config, watch);

  const timed = async (what: "one after the other" | "side by side", run: typeof oneByOne) => {
    progress.update(0, 1, `${models} trainings on ${coraCase.name} ${what}`);
    const warmUp = untrained();
    await run(warmUp, { signal: endsAfter(WARM_UP) });
    for (const gcn of warmUp) gcn.dispose();
    const gcns = untrained();
    backend.memory.resetPeak();
    const begin = performance.now();
    const histories = await run(gcns);
    const seconds = (performance.now() - begin) / 1000;
    const accuracies: number[] = [];
    for (const [g, gcn] of gcns.entries()) accuracies.push(await evaluate(gcn, view, splits[g].test));
    for (const gcn of gcns) gcn.dispose();
    const lengths = histories.map(({ trainLoss }) => trainLoss.length);
    const epochs = lengths.reduce((sum, length) => sum + length, 0);
    const secondsPerEpoch = seconds / (what === "side by side" ? Math.max(...lengths) : epochs);
    const times: TrainingTimes = { seconds, trainingsPerSecond: models / seconds, epochs, secondsPerEpoch };
    return { times, histories, accuracies, peakBytes: backend.memory.peak };
  };

  const alone = await timed("one after the other", oneByOne);
  const beside = await timed("side by side", together);
  const clocked = await clockedKernels(opened, CLOCKED, () =>
    trainSideBySide(untrained(), view, tasks(), { ...config, maxEpochs: CLOCKED }),
  );
  await backend.close();
  const apart = beside.accuracies.map((accuracy, g) => Math.abs(accuracy - alone.accuracies[g]));
  const isSame = ({ bestEpoch }: History, g: number) => bestEpoch === alone.histories[g].bestEpoch;
  return {
    shape: coraCase.name,
    models,
    oneByOne: alone.times,
    sideBySide: beside.times,
    gain: alone.times.seconds / beside.times.seconds,
    accuracy: {
      oneByOne: mean(alone.accuracies),
      sideBySide: mean(beside.accuracies),
      mostApart: Math.max(...apart),
    },
    sameBestEpoch: beside.histories.filter(isSame).length,
    peakBytes: beside.peakBytes,
    ...clocked,
  };
}

function endsAfter(milliseconds: number) {
  const end = performance.now() + milliseconds;
  return {
    get aborted() {
      return performance.now() > end;
    },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import { type BuiltModel, buildModel, type ModelChoice } from "../defense/build-model.ts";
import type { History } from "../nn/training/train.ts";
import type { NodeSession } from "./node-session.ts";
import type { SplitFacts } from "./opened-split.ts";
import { peakResidentBytes } from "./resident-memory.ts";
import { sampleSplit } from "./sample-split.ts";
import type { RunWatch } from "./trained-model.ts";

/** Which model to train, and on how much of the split. */
export interface TrainChoice extends ModelChoice {
  /** So many training nodes, and validation nodes in proportion, drawn with the seed. Default: all. */
  readonly trainNodes?: number;
}

/** What `rgnn train` reports. */
export interface TrainReport {
  readonly dataset: string;
  readonly model: string;
  readonly preset: string;
  readonly seed: number;
  readonly split: SplitFacts;
  /** How many nodes of the split were used, if not all. */
  readonly sample?: { readonly train: number; readonly val: number };
  readonly device: string;
  readonly accuracy: { readonly train: number; readonly val: number; readonly test: number };
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly seconds: number;
  /** Of the kernels' own memory. */
  readonly peakBytes: number;
  /** Of the whole process, since it began. */
  readonly residentBytes: number;
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  readonly interrupted: boolean;
}

/** A trained model, and how it came about. */
export interface TrainRun {
  readonly report: TrainReport;
  readonly built: BuiltModel;
  readonly history: History;
}

/** Builds, trains and evaluates a model. The caller disposes the model. */
export async function runTrain(session: NodeSession, choice: TrainChoice, watch: RunWatch = {}): Promise<TrainRun> {
  const { backend } = session;
  backend.memory.resetPeak();
  const split = session.split(choice.seed);
  const learned = sampleSplit(split, choice.trainNodes, choice.seed);
  const built = buildModel(session, choice);
  const begin = performance.now();
  const history = await session.train(built, choice, learned, watch);
  const seconds = (performance.now() - begin) / 1000;
  const { model, preset, hyperparameters } = built;
  const shares = await session.accuracies(model, [learned.train, learned.val, split.test], watch);
  const accuracy = { train: shares[0], val: shares[1], test: shares[2] };
  const report: TrainReport = {
    dataset: session.dataset,
    model: choice.model,
    preset,
    seed: choice.seed,
    split: session.splitFacts(choice.seed),
    ...(choice.trainNodes !== undefined && { sample: { train: learned.train.length, val: learned.val.length } }),
    device: session.device,
    accuracy,
    epochs: history.trainLoss.length,
    bestEpoch: history.bestEpoch,
    seconds,
    peakBytes: backend.memory.peak,
    residentBytes: peakResidentBytes(),
    hyperparameters: { ...hyperparameters.model, ...hyperparameters.training },
    interrupted: history.interrupted,
  };
  return { report, built, history };
}

import type { Split } from "../data/splits.ts";
import { type BuiltModel, buildModel, type ModelChoice } from "../defense/build-model.ts";
import type { History } from "../nn/training/train.ts";
import type { NodeSession } from "./node-session.ts";
import type { SplitFacts } from "./opened-split.ts";
import { peakResidentBytes } from "./resident-memory.ts";
import { sampleSplit } from "./sample-split.ts";
import type { RunWatch } from "./trained-model.ts";

/** Which model to train, and on how much of the split. */
export interface TrainChoice extends ModelChoice {
  /** Number of training nodes, drawn with the seed, with validation nodes in proportion. Default: all. */
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
  /** Training time; of models trained side by side, their total time divided by their number. */
  readonly seconds: number;
  /** How many models were trained at once, if not one. */
  readonly sideBySide?: number;
  /** Peak of the kernels' own memory. */
  readonly peakBytes: number;
  /** Peak memory of the whole process since it started. */
  readonly residentBytes: number;
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  readonly interrupted: boolean;
}

/** A trained model, its report and its losses. */
export interface TrainRun {
  readonly report: TrainReport;
  readonly built: BuiltModel;
  readonly history: History;
}

/** Builds, trains and evaluates a model. The caller disposes the model. */
export async function runTrain(session: NodeSession, choice: TrainChoice, watch: RunWatch = {}): Promise<TrainRun> {
  session.backend.memory.resetPeak();
  const learned = learnedSplit(session, choice);
  const built = buildModel(session, choice);
  const begin = performance.now();
  const history = await session.train(built, choice, learned, watch);
  const seconds = (performance.now() - begin) / 1000;
  const report = await trainReport(session, choice, { built, history, learned, seconds }, watch);
  return { report, built, history };
}

/** The split of the seed, reduced to `trainNodes` training nodes if given. */
export function learnedSplit(session: NodeSession, { trainNodes, seed }: TrainChoice): Split {
  return sampleSplit(session.split(seed), trainNodes, seed);
}

/** A finished training. */
export interface Training {
  readonly built: BuiltModel;
  readonly history: History;
  readonly learned: Split;
  readonly seconds: number;
}

/** Evaluates a trained model and reports on its training. */
export async function trainReport(
  session: NodeSession,
  choice: TrainChoice,
  { built, history, learned, seconds }: Training,
  watch: RunWatch = {},
): Promise<TrainReport> {
  const { model, preset, hyperparameters } = built;
  const { test } = session.split(choice.seed);
  const shares = await session.accuracies(model, [learned.train, learned.val, test], watch);
  const accuracy = { train: shares[0], val: shares[1], test: shares[2] };
  return {
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
    peakBytes: session.backend.memory.peak,
    residentBytes: peakResidentBytes(),
    hyperparameters: { ...hyperparameters.model, ...hyperparameters.training },
    interrupted: history.interrupted,
  };
}

import { evaluateSets } from "../nn/training/evaluate.ts";
import type { History, Watch } from "../nn/training/train.ts";
import { type BuiltModel, buildModel, type ModelChoice, trainModel } from "./build-model.ts";
import { peakResidentBytes } from "./resident-memory.ts";
import type { Session, SplitFacts } from "./session.ts";

/** What `rgnn train` reports. */
export interface TrainReport {
  readonly dataset: string;
  readonly model: string;
  readonly preset: string;
  readonly seed: number;
  readonly split: SplitFacts;
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
export async function runTrain(session: Session, choice: ModelChoice, watch: Watch = {}): Promise<TrainRun> {
  const { backend, view } = session;
  backend.memory.resetPeak();
  const split = session.split(choice.seed);
  const built = buildModel(session, choice);
  const begin = performance.now();
  const history = await trainModel(built, choice, view, split, watch);
  const seconds = (performance.now() - begin) / 1000;
  const { model, preset, hyperparameters } = built;
  const shares = await evaluateSets(model, view, [split.train, split.val, split.test]);
  const accuracy = { train: shares[0], val: shares[1], test: shares[2] };
  const report: TrainReport = {
    dataset: session.dataset,
    model: choice.model,
    preset,
    seed: choice.seed,
    split: session.splitFacts(choice.seed),
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

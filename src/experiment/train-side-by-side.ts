import { check } from "../core/errors.ts";
import { type BuiltModel, buildModel, trainingRng } from "../defense/build-model.ts";
import { Gcn } from "../nn/models/gcn.ts";
import { trainSideBySide } from "../nn/training/side-by-side/train-side-by-side.ts";
import type { TrainConfig } from "../nn/training/train.ts";
import type { NodeSession } from "./node-session.ts";
import { learnedSplit, type TrainChoice, type TrainRun, trainReport } from "./run-train.ts";
import type { Session } from "./session.ts";
import type { RunWatch } from "./trained-model.ts";

/** Most models trained at once: a GPU is busy with fewer already. */
const MOST_MODELS = 32;
/** Most floats in the widest matrix, of all models together; an epoch has several such matrices. */
const MOST_FLOATS = 2 ** 25;

/**
 * Trains a GCN with each seed, several at once. Up to rounding, the models are those of training one by one. The caller
 * disposes the model of each run.
 */
export async function* trainSeedsSideBySide(
  session: NodeSession,
  choices: readonly TrainChoice[],
  watch: RunWatch = {},
): AsyncGenerator<TrainRun> {
  if (session.backend.name !== "webgpu")
    watch.warn?.("--side-by-side pays on a GPU only; this takes as long as one by one");
  const size = groupSize(session, choices[0]);
  for (let first = 0; first < choices.length; first += size) {
    if (first > 0 && watch.signal?.aborted) return;
    yield* await trainGroup(session, choices.slice(first, first + size), watch);
  }
}

async function trainGroup(session: NodeSession, choices: readonly TrainChoice[], watch: RunWatch): Promise<TrainRun[]> {
  check("view" in session, () => "training side by side: the graph must be in memory; leave out --side-by-side");
  const { view, backend } = session as Session;
  backend.memory.resetPeak();
  const built = choices.map((choice) => buildModel(session, choice));
  try {
    const models = built.map(({ model }) => {
      check(model instanceof Gcn, () => `training side by side: ${model.name} is no gcn; leave out --side-by-side`);
      return model;
    });
    const splits = choices.map((choice) => learnedSplit(session, choice));
    const tasks = splits.map(({ train, val }, g) => ({ train, val, rng: trainingRng(choices[g].seed) }));
    const begin = performance.now();
    const config = built[0].hyperparameters.training as TrainConfig;
    const histories = await trainSideBySide(models, view, tasks, config, watch);
    const seconds = (performance.now() - begin) / 1000 / models.length;
    const runs: TrainRun[] = [];
    for (const [g, history] of histories.entries()) {
      const training = { built: built[g], history, learned: splits[g], seconds };
      const report = await trainReport(session, choices[g], training, watch);
      runs.push({ report: { ...report, sideBySide: models.length }, built: built[g], history });
    }
    return runs;
  } catch (error) {
    for (const { model } of built) model.dispose();
    throw error;
  }
}

/** How many models fit into one group without a joint matrix of more than `MOST_FLOATS`. */
function groupSize(session: NodeSession, choice: TrainChoice): number {
  const built: BuiltModel = buildModel(session, choice);
  const { numNodes, numFeatures, numClasses } = session.graph;
  const hidden = (built.hyperparameters.model as { readonly hidden?: readonly number[] }).hidden ?? [];
  built.model.dispose();
  const widest = Math.max(numNodes, numFeatures) * Math.max(numClasses, ...hidden);
  return Math.min(MOST_MODELS, Math.max(1, Math.floor(MOST_FLOATS / widest)));
}

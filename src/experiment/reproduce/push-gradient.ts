import { accuracyAfter } from "../../attack/attack-with.ts";
import { sampleBlock } from "../../attack/block.ts";
import { edgeBudget } from "../../attack/budget.ts";
import { tanhMargin } from "../../attack/losses.ts";
import { prbcd } from "../../attack/prbcd.ts";
import { Victim } from "../../attack/victim.ts";
import { Interrupted } from "../../core/errors.ts";
import { attackRng, buildModel, trainModel } from "../../defense/build-model.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, relax, withFlips } from "../../tensor/index.ts";
import { agreement } from "../agreement.ts";
import { copyWeights } from "../copy-weights.ts";
import { openSession, type Session } from "../session.ts";
import { left, right } from "../table-column.ts";
import { PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import type { RunOptions } from "./run-measurements.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

const MODELS = ["gdc", "soft-median-gdc"];
/** Tolerances of push; PubMed's is the middle one. */
const TOLERANCES = [1e-3, 1e-4, 1e-5];
/** The tolerance that whole attacks are compared at, and their budgets. */
const ATTACKED_WITH = 1e-4;
const EPSILONS = [0.05, 0.1];
const BLOCK_SIZE = 100_000;
const FLOOR = 1e-7;
const TOP = 0.01;
const ATTACK = { preset: "paper", blockSize: BLOCK_SIZE, epochs: 150, fineTuneEpochs: 30 } as const;

/** How close the gradient through push is to the exact one, and how strong the attack that follows it. */
export const pushGradient: Reproduction = {
  title: "The gradient through push beside the exact one",
  datasets: ["cora_ml", "citeseer"],
  seeds: PUBLISHED_SEEDS,
  stores: false,
  async run({ datasets, seeds }, _store, options) {
    const rows: Row[] = [];
    try {
      for (const dataset of datasets) await compareOn(dataset, seeds, options, rows);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
    return report(rows);
  },
};

/** Adds the rows of one dataset as they are measured. */
async function compareOn(dataset: string, seeds: readonly number[], options: RunOptions, rows: Row[]): Promise<void> {
  const session = await openSession({ ...options.where, dataset });
  try {
    for (const seed of seeds) {
      for (const model of MODELS) rows.push(...(await compare(session, model, seed, options)));
    }
  } finally {
    await session.close();
  }
}

interface Row {
  readonly dataset: string;
  readonly seed: number;
  readonly model: string;
  readonly what: string;
  readonly tolerance: number;
  /** Agreement of gradients, or accuracies of the exact model after attacks by each gradient. */
  readonly values: Readonly<Record<string, number>>;
}

async function compare(session: Session, name: string, seed: number, { steps, signal }: RunOptions): Promise<Row[]> {
  const { dataset, view, graph } = session;
  const { test } = session.split(seed);
  const exact = await trained(session, name, seed, signal);
  const pushed = new Map<number, Model>();
  for (const epsilon of TOLERANCES) pushed.set(epsilon, await sameWeights(session, name, seed, exact, epsilon));
  const rows: Row[] = [];
  const add = (what: string, tolerance: number, values: Row["values"]) =>
    rows.push({ dataset, seed, model: name, what, tolerance, values });
  try {
    let flips: Flips | null = null;
    for (const epsilon of EPSILONS) {
      const attack = async (model: Model, how: string) => {
        const progress = steps.begin(`${dataset} seed ${seed}: prbcd on ${name}, ${how} gradient, epsilon ${epsilon}`);
        const task = { nodes: test, budget: edgeBudget(graph, epsilon), rng: attackRng(seed), progress };
        const found = await prbcd(model, view, { ...task, ...(signal && { signal }) }, ATTACK);
        stopIfAborted(signal);
        steps.end(`${found.cost.secondsPerEpoch.toFixed(2)} s per epoch`);
        return found.perturbation.flips;
      };
      const after = async (of: Flips) => accuracyAfter(exact, view, of, test);
      const byExact = await attack(exact, "exact");
      const byPush = await attack(pushed.get(ATTACKED_WITH)!, "push");
      add(`attack, epsilon ${epsilon}`, ATTACKED_WITH, { exact: await after(byExact), push: await after(byPush) });
      flips ??= byExact;
    }
    const perturbed = withFlips(view, flips!);
    for (const [where, at] of [
      ["clean graph", view],
      [`after ${EPSILONS[0]} flips`, perturbed],
    ] as const) {
      const reference = await gradientOf(exact, at, test, seed);
      for (const [tolerance, model] of pushed) {
        stopIfAborted(signal);
        add(`gradient, ${where}`, tolerance, { ...agreement(reference, await gradientOf(model, at, test, seed), TOP) });
      }
    }
    perturbed.dispose();
    return rows;
  } finally {
    for (const model of [exact, ...pushed.values()]) model.dispose();
  }
}

async function trained(session: Session, model: string, seed: number, signal?: AbortSignal): Promise<Model> {
  const choice = { model, seed };
  const built = buildModel(session, choice);
  try {
    await trainModel(built, choice, session.view, session.split(seed), signal ? { signal } : {});
    stopIfAborted(signal);
    return built.model;
  } catch (error) {
    built.model.dispose();
    throw error;
  }
}

/** The model with the same weights and PageRank by push. */
async function sameWeights(session: Session, name: string, seed: number, from: Model, epsilon: number): Promise<Model> {
  const { model } = buildModel(session, { model: name, seed, set: { method: "push", epsilon } });
  await copyWeights(from, model);
  return model;
}

/** The gradient of the loss by the flips of a random block. */
async function gradientOf(
  model: Model,
  view: GraphView,
  nodes: ArrayLike<number>,
  seed: number,
): Promise<ArrayLike<number>> {
  const block = sampleBlock(view, BLOCK_SIZE, FLOOR, "stratified", attackRng(seed));
  const victim = new Victim(model, view, nodes);
  try {
    const { gradient } = await victim.step(() => relax(view, block, FLOOR), tanhMargin, block.weights);
    return await gradient.read().finally(() => gradient.dispose());
  } finally {
    victim.dispose();
    block.dispose();
  }
}

function report(rows: readonly Row[]): Report {
  const cell = (value: number | undefined) => (value === undefined ? "" : value.toFixed(3));
  const numbers = ["cosine", "rankCorrelation", "topOverlap", "exact", "push"];
  return {
    rows,
    columns: [
      left("dataset"),
      right("seed"),
      left("model"),
      left("what"),
      right("push tolerance"),
      right("cosine"),
      right("rank correlation"),
      right("top 1 %"),
      right("accuracy, exact"),
      right("accuracy, push"),
    ],
    cells: rows.map(({ dataset, seed, model, what, tolerance, values }) => [
      dataset,
      String(seed),
      model,
      what,
      tolerance.toExponential(),
      ...numbers.map((name) => cell(values[name])),
    ]),
    note: `Gradients of the tanh margin by ${BLOCK_SIZE} random pairs, through exact PageRank and through push, for the same
weights: cosine, Spearman's correlation, and the share of the largest ${100 * TOP} % that both name. And accuracy of the model with exact
PageRank after PR-BCD (${ATTACK.epochs} epochs, ${ATTACK.blockSize} pairs) has followed either gradient.`,
  };
}

import { BudgetError, check } from "../core/errors.ts";
import {
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
} from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { filled, type GraphView, keep, relax, type Tensor } from "../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "./attack.ts";
import { attackWith } from "./attack-with.ts";
import { blockOfFlips } from "./block.ts";
import { drawFlips, type WeightedFlips } from "./choose-flips.ts";
import { projectionOf, projectOntoLimits } from "./constraints/project-onto-limits.ts";
import type { AttackLoss } from "./losses.ts";
import { lossOption, samplesOption, withObjectiveLoss } from "./options.ts";
import { PairTiles, pairsNumbered, tileSizeOption } from "./pair-tiles.ts";
import { polished, polishOption } from "./polish/polished.ts";
import { projectOntoBudget } from "./projection.ts";
import { progressNote, traceEntry } from "./trace.ts";
import { checkDifferentiable, type Evaluation, type Victim } from "./victim.ts";

export const pgdOptions = describeOptions({
  epochs: wholeNumber({ from: 1, default: 200, help: "gradient steps" }),
  learningRate: realNumber({ from: 0, default: 0.1, help: "step size, before scaling by the budget" }),
  samples: samplesOption,
  tileSize: tileSizeOption,
  loss: lossOption("tanh-margin"),
  polish: polishOption(0),
});

/** Options of {@link pgd}; `rgnn attack --attack pgd --option list` explains each. */
export type PgdOptions = OptionsOf<typeof pgdOptions>;

/** Default options of {@link pgd}. */
export const pgdDefaults: PgdOptions = defaultsOf(pgdOptions);

/**
 * Projected gradient descent on all pairs (Xu et al. 2019): the dense attack that PR-BCD makes scalable.
 *
 * Holds one float per pair of nodes and evaluates gradients in tiles from their low-rank factors.
 */
export async function pgd(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<PgdOptions> = {},
): Promise<AttackResult> {
  const config = resolveOptions("pgd", pgdOptions, withObjectiveLoss(options, task));
  checkDifferentiable("pgd", model);
  return attackWith(
    "pgd",
    model,
    view,
    task,
    polished(task, config, (victim) => search(victim, task, config)),
  );
}

async function search(victim: Victim, task: AttackTask, config: PgdOptions) {
  const { backend } = victim.view;
  const { progress = silent, signal, constraints } = task;
  const tiles = new PairTiles("pgd", victim.view, config.tileSize, constraints);
  const project = projectorFor(victim.view, task);
  const p = keep(filled(backend, [tiles.count], 0));
  const trace: TraceEntry[] = [];
  let active: WeightedFlips = { sources: new Int32Array(0), targets: new Int32Array(0), weights: new Float32Array(0) };
  try {
    for (let t = 0; t < config.epochs && !signal?.aborted; t++) {
      const rate = (task.budget * config.learningRate) / Math.sqrt(t + 1);
      const seen = await ascendAll({ victim, tiles, p, active, rate, loss: config.loss });
      const report = await project(p);
      const entry = { ...traceEntry(victim, seen), mass: (await report.read())[0] };
      trace.push(entry);
      report.dispose();
      active = await activePairs(victim.view, p);
      progress.update(t + 1, config.epochs, progressNote(victim, entry.score, "relaxed"));
    }
    return { flips: await strongestDraw(victim, active, task, config), trace };
  } finally {
    tiles.dispose();
    p.dispose();
  }
}

interface Ascent {
  readonly victim: Victim;
  readonly tiles: PairTiles;
  /** Weights of all pairs. */
  readonly p: Tensor;
  /** Pairs with a weight above 0. */
  readonly active: WeightedFlips;
  readonly rate: number;
  readonly loss: AttackLoss;
}

/** p ← p + rate·gradient for all pairs, tile by tile, at the graph with the active pairs' weights. */
async function ascendAll({ victim, tiles, p, active, rate, loss }: Ascent): Promise<Evaluation> {
  const { backend } = victim.view;
  const block = blockOfFlips(victim.view, active);
  if (active.weights.length > 0) block.weights.assign(active.weights);
  const { factors, ...seen } = await victim.stepOnAll(block, loss).finally(() => block.dispose());
  for (const { begin, pairs, signs } of tiles) {
    const gradient = backend.alloc("f32", pairs.length);
    factors.evaluate(gradient, pairs, { signs });
    const tile = backend.view(p.buffer, begin, pairs.length);
    backend.affine({ out: tile, a: 1, A: tile, b: rate, B: gradient });
    backend.free(gradient);
  }
  factors.dispose();
  return seen;
}

/** Projects the weights of all pairs onto the budget, and onto the limits of the nodes if there are any. */
function projectorFor(view: GraphView, { budget, constraints }: AttackTask): (p: Tensor) => Tensor | Promise<Tensor> {
  if (!constraints?.hasLimits) return (p) => projectOntoBudget(p, budget, 0);
  const projection = projectionOf(constraints, budget);
  return (p) => projectOntoLimits(p, (places) => pairsNumbered(view, places), projection, 0);
}

/** The pairs with weight above 0, on the host. */
async function activePairs(view: GraphView, p: Tensor): Promise<WeightedFlips> {
  const values = await p.read();
  const places: number[] = [];
  for (let e = 0; e < values.length; e++) if (values[e] > 0) places.push(e);
  return { ...pairsNumbered(view, places), weights: Float32Array.from(places, (e) => values[e]) };
}

/**
 * The draw within budget that has the highest loss, as published; if the objective has a loss of its own, the one with
 * the lowest score. Draws in rounds of `samples`, until one is within budget.
 */
async function strongestDraw(
  victim: Victim,
  active: WeightedFlips,
  { budget, rng, constraints }: AttackTask,
  { samples, loss }: PgdOptions,
): Promise<Flips> {
  const MAX_ROUNDS = 100;
  const harmOf = (seen: Evaluation) => (victim.objective.loss ? -seen.score : seen.loss);
  let best: { flips: Flips; harm: number } | null = null;
  for (let round = 0; round < MAX_ROUNDS && !best; round++) {
    for (let sample = 0; sample < samples; sample++) {
      const flips = drawFlips(active, rng, constraints);
      if (flips.sources.length > budget) continue;
      const block = blockOfFlips(victim.view, flips);
      const seen = await victim.evaluate(() => relax(victim.view, block, 0), loss).finally(() => block.dispose());
      const harm = harmOf(seen);
      if (!best || harm > best.harm) best = { flips, harm };
    }
  }
  check(
    best !== null,
    () => `pgd: no draw within budget ${budget} in ${MAX_ROUNDS * samples}; raise the budget`,
    BudgetError,
  );
  return best.flips;
}

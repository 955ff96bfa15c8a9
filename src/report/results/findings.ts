import { holm } from "../../experiment/statistics/holm.ts";
import type { Difference } from "../../experiment/statistics/sample.ts";
import { paired } from "../../experiment/statistics/welch.ts";
import { distinct } from "../charts/distinct.ts";
import { mean } from "./mean.ts";
import { type MeanInterval, meanOfShares } from "./mean-interval.ts";
import type { AttackedRun } from "./measured-run.ts";
import type { ResultIndex } from "./study-results.ts";

/** The findings of a study on one dataset. */
export interface Findings {
  readonly dataset: string;
  /** The budget at which everything is compared: the largest that every model was attacked with. */
  readonly budget: number;
  /** Models by accuracy under the strongest attack, the most robust first; without the untouched ones. */
  readonly models: readonly RankedModel[];
  /** Models whose accuracy no attack of this study changed. */
  readonly untouched: readonly string[];
  /** Attacks, the strongest first: by the accuracy they leave beyond the strongest, averaged over models. */
  readonly attacks: readonly RankedAttack[];
}

/** A model under the attack that is strongest against it. */
export interface RankedModel {
  readonly model: string;
  readonly clean: MeanInterval;
  readonly robust: MeanInterval;
  readonly attack: string;
  /**
   * Accuracy of the most robust model minus that of this one, in pairs by seed; null for the most robust itself or if
   * no seed is shared.
   */
  readonly behind: Comparison | null;
}

/** An attack on all models on which it was measured, except untouched ones. */
export interface RankedAttack {
  readonly attack: string;
  readonly models: readonly string[];
  /** Mean accuracy that it leaves over these models. */
  readonly mean: number;
  /**
   * Mean accuracy over models under this attack minus that under the strongest, in pairs by seed; null for the
   * strongest itself or if no seed is shared.
   */
  readonly behind: Comparison | null;
}

/** A difference of means with its significance, corrected for the number of comparisons. */
export interface Comparison extends Difference {
  readonly pairs: number;
  readonly correctedP: number | null;
}

/** The findings on a dataset; null if nothing was attacked on it. */
export function findingsOn(index: ResultIndex, dataset: string): Findings | null {
  const ofDataset = index.attacked.filter((run) => run.dataset === dataset);
  if (ofDataset.length === 0) return null;
  const budget = commonBudget(ofDataset);
  const runs = ofDataset.filter((run) => run.budget === budget);
  const untouched = distinct(ofDataset.map(({ model }) => model)).filter((model) =>
    ofDataset.every((run) => run.model !== model || run.accuracy === run.clean),
  );
  const touched = runs.filter(({ model }) => !untouched.includes(model));
  return { dataset, budget, models: rankModels(touched), untouched, attacks: rankAttacks(touched) };
}

/** The largest budget that every model has; the largest of all if there is none. */
function commonBudget(runs: readonly AttackedRun[]): number {
  const models = distinct(runs.map(({ model }) => model));
  const budgets = distinct(runs.map(({ budget }) => budget)).sort((a, b) => b - a);
  const common = budgets.find((budget) =>
    models.every((model) => runs.some((run) => run.model === model && run.budget === budget)),
  );
  return common ?? budgets[0];
}

function rankModels(runs: readonly AttackedRun[]): RankedModel[] {
  const worst = [...Map.groupBy(runs, ({ model }) => model)].map(([model, ofModel]) => {
    const byAttack = [...Map.groupBy(ofModel, ({ attack }) => attack)].sort(([, a], [, b]) => meanOf(a) - meanOf(b));
    const [attack, strongest] = byAttack[0];
    return { model, attack, runs: strongest };
  });
  worst.sort((a, b) => meanOf(b.runs) - meanOf(a.runs));
  const best = worst[0]?.runs ?? [];
  const comparisons = compare(worst.slice(1).map(({ runs: others }) => pairsBySeed(best, others, () => "")));
  return worst.map(({ model, attack, runs: ofModel }, k) => ({
    model,
    attack,
    clean: meanOfShares(ofModel.map(({ clean }) => clean)),
    robust: meanOfShares(ofModel.map(({ accuracy }) => accuracy)),
    behind: k === 0 ? null : comparisons[k - 1],
  }));
}

function rankAttacks(runs: readonly AttackedRun[]): RankedAttack[] {
  const excess = excessOver(runs);
  const ranked = [...Map.groupBy(runs, ({ attack }) => attack)].sort(
    ([, a], [, b]) => excess(a) - excess(b) || meanOf(a) - meanOf(b),
  );
  const [strongest] = ranked;
  const others = ranked.slice(1).map(([, runsOf]) => pairsBySeed(runsOf, strongest[1], ({ model }) => model));
  const comparisons = compare(others);
  return ranked.map(([attack, ofAttack], k) => ({
    attack,
    models: distinct(ofAttack.map(({ model }) => model)),
    mean: meanOf(ofAttack),
    behind: k === 0 ? null : comparisons[k - 1],
  }));
}

/**
 * How much more accuracy an attack leaves than the strongest attack on the same model, averaged over models. Mean
 * accuracies would mislead if attacks were measured on different models: an attack on weak models only would seem
 * strong.
 */
function excessOver(runs: readonly AttackedRun[]): (ofAttack: readonly AttackedRun[]) => number {
  const perModel = (some: readonly AttackedRun[]) => Map.groupBy(some, ({ model }) => model);
  const lowest = new Map(
    [...perModel(runs)].map(([model, ofModel]) => {
      const byAttack = [...Map.groupBy(ofModel, ({ attack }) => attack).values()];
      return [model, Math.min(...byAttack.map(meanOf))];
    }),
  );
  return (ofAttack) => mean([...perModel(ofAttack)].map(([model, ofModel]) => meanOf(ofModel) - lowest.get(model)!));
}

/**
 * A pair of accuracies for each seed that both lists have: the means over the parts that both measured with this seed.
 * Runs with the same seed count once, because they share the split and often the flips, and so are not independent.
 */
function pairsBySeed(
  first: readonly AttackedRun[],
  second: readonly AttackedRun[],
  partOf: (run: AttackedRun) => string,
): readonly [number, number][] {
  const others = Map.groupBy(second, ({ seed }) => seed);
  return [...Map.groupBy(first, ({ seed }) => seed)].flatMap(([seed, runs]) => {
    const parts = new Map((others.get(seed) ?? []).map((run) => [partOf(run), run.accuracy]));
    const shared = runs.filter((run) => parts.has(partOf(run)));
    if (shared.length === 0) return [];
    return [[meanOf(shared), mean(shared.map((run) => parts.get(partOf(run))!))] as [number, number]];
  });
}

function compare(all: readonly (readonly [number, number][])[]): (Comparison | null)[] {
  const tests = all.map((values) =>
    values.length === 0
      ? null
      : paired(
          values.map(([a]) => a),
          values.map(([, b]) => b),
        ),
  );
  const corrected = holm(tests.map((each) => each?.pValue ?? null));
  return tests.map((each, k) => each && { ...each, pairs: all[k].length, correctedP: corrected[k] });
}

function meanOf(runs: readonly AttackedRun[]): number {
  return mean(runs.map(({ accuracy }) => accuracy));
}

import { holm } from "../../experiment/statistics/holm.ts";
import type { Difference } from "../../experiment/statistics/sample.ts";
import { paired } from "../../experiment/statistics/welch.ts";
import { distinct } from "../charts/distinct.ts";
import { mean } from "./mean.ts";
import { type MeanInterval, meanOfShares } from "./mean-interval.ts";
import type { AttackedRun } from "./measured-run.ts";
import type { ResultIndex } from "./study-results.ts";

/** What the numbers of a study say about one dataset. */
export interface Findings {
  readonly dataset: string;
  /** At which everything is compared: the largest that every model was attacked with. */
  readonly budget: number;
  /** Models by the accuracy that the strongest attack leaves, the most robust first. Those that no flip changes are not among them. */
  readonly models: readonly RankedModel[];
  /** Models whose predictions do not depend on edges, as far as this study can tell. */
  readonly untouched: readonly string[];
  /** Attacks, the strongest first: by how much more accuracy they leave than the strongest on the same model, on average over models. */
  readonly attacks: readonly RankedAttack[];
}

/** A model under the attack that is strongest against it. */
export interface RankedModel {
  readonly model: string;
  readonly clean: MeanInterval;
  readonly robust: MeanInterval;
  readonly attack: string;
  /** Seed by seed, the most robust model minus this one; null for the most robust itself and where they share no seed. */
  readonly behind: Comparison | null;
}

/** An attack on the models that it was measured on, of those that flips change. */
export interface RankedAttack {
  readonly attack: string;
  readonly models: readonly string[];
  /** Accuracy that it leaves of them. */
  readonly mean: number;
  /** Seed by seed, this attack's mean accuracy over models minus that of the strongest; null for the strongest. */
  readonly behind: Comparison | null;
}

/** A difference of means and how sure it is, corrected for the number of comparisons. */
export interface Comparison extends Difference {
  readonly pairs: number;
  readonly correctedP: number | null;
}

/** Null for a dataset on which nothing was attacked. */
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
 * How much more accuracy an attack leaves than the strongest of all on the same model, on average. Accuracies themselves would not do where attacks were
 * measured on different models: one that met only weak models would seem strong.
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
 * A pair of accuracies for every seed that both have: means over what both measured with it, because runs with the same seed, on the same split
 * and often with the same flips, are no independent evidence.
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

import type { Failure } from "../../experiment/runner/run-study.ts";
import { distinct } from "../charts/distinct.ts";
import { type AttackedRun, isAttacked, type MeasuredRun } from "./measured-run.ts";

/** The unit of budgets in a report. */
export type BudgetUnit = "share" | "flips";

/** The results from which a report is made. */
export interface StudyResults {
  /** Name of the study; null for all runs of the store. */
  readonly study: string | null;
  readonly store: string;
  readonly runs: readonly MeasuredRun[];
  readonly budgetUnit: BudgetUnit;
  /** Runs that are not done. */
  readonly missing: { readonly waiting: number; readonly failed: readonly Failure[] };
  /** Number of results of earlier versions of the code that newer results replace. */
  readonly outdated: number;
  /**
   * Number of results left out because a newer one has the same labels in a report. They come from an earlier plan of
   * the study, or from a graph whose content was another.
   */
  readonly superseded: number;
}

/** The labels of runs, in the order of their first run, and lookups of runs by label. */
export class ResultIndex {
  readonly runs: readonly MeasuredRun[];
  /** Runs that measure the accuracy after an attack. */
  readonly attacked: readonly AttackedRun[];
  /** Runs that attack single nodes. */
  readonly nodeAttacks: readonly AttackedRun[];
  readonly datasets: readonly string[];
  readonly models: readonly string[];
  readonly attacks: readonly string[];
  readonly seeds: readonly number[];

  constructor(runs: readonly MeasuredRun[]) {
    this.runs = runs;
    const attacked = runs.filter(isAttacked);
    this.attacked = attacked.filter(({ quantity }) => quantity === "accuracy");
    this.nodeAttacks = attacked.filter(({ quantity }) => quantity === "success-rate");
    this.datasets = distinct(runs.map(({ dataset }) => dataset));
    this.models = distinct(runs.map(({ model }) => model));
    this.attacks = distinct(this.attacked.map(({ attack }) => attack));
    this.seeds = distinct(runs.map(({ seed }) => seed)).sort((a, b) => a - b);
  }

  /** Budgets of attacks on a dataset, the smallest first. */
  budgets(dataset: string): number[] {
    const ofDataset = this.attacked.filter((run) => run.dataset === dataset);
    return distinct(ofDataset.map(({ budget }) => budget)).sort((a, b) => a - b);
  }

  /** Accuracy on the clean graph by seed; every run of a model has it. */
  clean(dataset: string, model: string): Map<number, number> {
    const ofModel = this.runs.filter((run) => run.dataset === dataset && run.model === model);
    return new Map(ofModel.map(({ seed, clean }) => [seed, clean]));
  }

  /** The runs of one experiment, one per seed. */
  cell(dataset: string, model: string, attack: string, budget: number): AttackedRun[] {
    return this.attacked.filter(
      (run) => run.dataset === dataset && run.model === model && run.attack === attack && run.budget === budget,
    );
  }
}

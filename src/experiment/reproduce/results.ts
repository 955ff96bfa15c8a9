import type { Json } from "../../core/options/index.ts";
import { allFinished } from "../results/all-finished.ts";
import type { FinishedRun, RunStore } from "../store/store.ts";
import { isCurrentCode } from "../study/code-of-cell.ts";
import { type Experiment, experimentKey, keyOfExperiment } from "./experiment.ts";

/** What a store holds of an experiment with one seed. */
export interface MeasuredRun {
  readonly value: number;
  /** Accuracy of the victim on the clean graph: tells whether values from several machines are about the same weights. */
  readonly clean: number;
  /** Time of the attack; 0 if there was none. */
  readonly seconds: number;
  /** `cpu` or `webgpu`. */
  readonly device: string;
  /** The code that measured it, and the commit if that is known. */
  readonly code: string;
  readonly commit: string | null;
  /** Whether it was measured by another version of the code. */
  readonly isStale: boolean;
  /** The full result of the run. */
  readonly result: Readonly<Record<string, Json>>;
}

/** Results by experiment and seed. If there are several, those of this code are preferred, and of these the latest. */
export class Results {
  private readonly runs = new Map<string, FinishedRun>();
  private readonly keys = new WeakMap<Experiment, string>();

  constructor(runs: Iterable<FinishedRun>) {
    for (const run of runs) this.add(run);
  }

  /** Reads all results on these graphs from a store. */
  static async read(store: RunStore, datasets: readonly string[]): Promise<Results> {
    const runs: FinishedRun[] = [];
    for await (const run of allFinished(store, { dataset: datasets })) runs.push(run);
    return new Results(runs);
  }

  get(experiment: Experiment, seed: number): MeasuredRun | undefined {
    const key = this.keys.get(experiment) ?? keyOfExperiment(experiment);
    this.keys.set(experiment, key);
    const run = this.runs.get(`${seed} ${key}`);
    return run && measuredRun(run);
  }

  private add(run: FinishedRun): void {
    const { cell, seed } = run.description;
    const key = `${seed} ${experimentKey(cell)}`;
    const known = this.runs.get(key);
    if (!known || isBetter(run, known)) this.runs.set(key, run);
  }
}

function isBetter(run: FinishedRun, known: FinishedRun): boolean {
  if (isStale(run) !== isStale(known)) return isStale(known);
  return run.finishedAt >= known.finishedAt;
}

function isStale({ description: { cell } }: FinishedRun): boolean {
  return !isCurrentCode(cell);
}

function measuredRun(run: FinishedRun): MeasuredRun {
  const { description, outcome } = run;
  const { cell } = description;
  const result = outcome.result as Readonly<Record<string, Json>>;
  const { attack, facts } = result as { attack?: { seconds: number }; facts?: { commit?: string | null } };
  return {
    value: outcome.value,
    clean: outcome.clean,
    seconds: attack?.seconds ?? 0,
    device: cell.device,
    code: cell.code.attack,
    commit: facts?.commit ?? null,
    isStale: isStale(run),
    result,
  };
}

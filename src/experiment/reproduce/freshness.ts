import { cellsOf } from "../study/plan-study.ts";
import { namedGraph } from "../study/planned-graph.ts";
import { experimentLabel } from "../study/run-label.ts";
import type { Experiment } from "./experiment.ts";
import type { Choice, Reproduction } from "./report.ts";
import type { MeasuredRun, Results } from "./results.ts";

/** Seeds of a row by what a store holds: results of this code, stale results of other code, or none. */
export interface RowFreshness {
  readonly row: string;
  readonly current: readonly number[];
  readonly stale: readonly number[];
  readonly missing: readonly number[];
}

/** Which rows were measured, and by which code. */
export function freshnessOf(reproduction: Reproduction, choice: Choice, results: Results): RowFreshness[] {
  return reproduction.experiments(choice).map((experiment) => {
    const seeds = { current: [] as number[], stale: [] as number[], missing: [] as number[] };
    for (const seed of choice.seeds) {
      const run = results.get(experiment, seed);
      seeds[run === undefined ? "missing" : run.isStale ? "stale" : "current"].push(seed);
    }
    return { row: labelOf(experiment), ...seeds };
  });
}

/** Which code the numbers of a report come from, in a sentence; null if there are none. */
export function codeSentence(experiments: readonly Experiment[], seeds: readonly number[], results: Results) {
  const runs = experiments.flatMap((experiment) => seeds.flatMap((seed) => results.get(experiment, seed) ?? []));
  if (runs.length === 0) return null;
  const codes = new Map<string, MeasuredRun>(runs.map((run) => [run.code, run]));
  const [first] = codes.values();
  const commit = first.commit === null ? "" : ` (commit ${first.commit})`;
  if (codes.size === 1) return `All numbers were measured by code \`${first.code}\`${commit}.`;
  return `These numbers were measured by ${codes.size} versions of the code: ${[...codes.keys()].map((code) => `\`${code}\``).join(", ")}.`;
}

function labelOf(experiment: Experiment): string {
  const [{ cell }] = cellsOf({ ...experiment, seeds: [] }, namedGraph(experiment.datasets[0]), null);
  return experimentLabel(cell);
}

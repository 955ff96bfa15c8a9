import type { Json } from "../../src/core/options/index.ts";
import type { Experiment } from "../../src/experiment/reproduce/experiment.ts";
import type { FinishedRun } from "../../src/experiment/store/store.ts";
import { cellsOf } from "../../src/experiment/study/plan-study.ts";
import { namedGraph } from "../../src/experiment/study/planned-graph.ts";
import { plannedRun } from "./any-runs.ts";

/** What was measured, as far as it is not as usual. */
export interface MeasuredAs {
  readonly clean?: number;
  readonly seconds?: number;
  readonly device?: string;
  /** Names of the code; that of this commit by default. */
  readonly code?: string;
  readonly finishedAt?: number;
  readonly result?: Readonly<Record<string, Json>>;
}

/** A finished run of an experiment, whose graph need not be there. */
export function measuredRun(experiment: Experiment, seed: number, value: number, as: MeasuredAs = {}): FinishedRun {
  const { clean = 0.8, seconds = 1, device = "cpu", code, finishedAt = 0, result = {} } = as;
  const part = { ...experiment, seeds: [seed], devices: [device] };
  const [{ cell }] = cellsOf(part, namedGraph(part.datasets[0]), null);
  const described = code === undefined ? cell : { ...cell, code: { training: code, attack: code } };
  return {
    ...plannedRun(described, seed),
    outcome: { value, clean, seconds, peakBytes: 1, result: { attack: { seconds }, ...result } },
    finishedAt,
  };
}

import type { TrialReport } from "../../bench/polish.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import { ceilingTable } from "./ceiling-table.ts";
import type { Outcome } from "./outcome.ts";
import { percent } from "./units.ts";

export function trialOutcome(report: TrialReport): Outcome {
  const columns = ["threads", "patched/s", "whole/s", "gain", "rows", "KiB", "kflop", "floor", "reached", "at best"];
  const table = formatTable(
    [left("shape"), left("change"), ...columns.map(right), left("check")],
    report.trials.map((trial) => [
      trial.shape,
      trial.what,
      String(trial.threads),
      trial.patchedPerSecond.toFixed(0),
      trial.wholePerSecond.toFixed(1),
      trial.gain.toFixed(1),
      trial.rowsPerTrial.toFixed(0),
      (trial.bytesPerTrial / 1024).toFixed(1),
      (trial.flopsPerTrial / 1000).toFixed(1),
      `${(1e6 * trial.floor).toFixed(2)} µs`,
      percent(trial.ratio),
      percent(trial.bestRatio),
      trial.check,
    ]),
  );
  const legend =
    "rows, KiB, kflop, floor: of one patched change, on average; whole passes need no product with the features";
  return { text: `${ceilingTable(report.ceilings)}\n\n${table}\n\n${legend}`, data: report };
}

import type { EpochReport, EpochResult } from "../../bench/epoch-report.ts";
import { formatBytes } from "../../experiment/readable-numbers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import { ceilingTable } from "./ceiling-table.ts";
import { clockTable } from "./kernel-tables.ts";
import type { Outcome } from "./outcome.ts";
import { milliseconds, percent } from "./units.ts";

export function epochOutcome(report: EpochReport): Outcome {
  const clocked = report.epochs.flatMap(({ shape, what, kernels }) => (kernels ? [{ shape, what, kernels }] : []));
  const kernelTables = clocked.map(({ shape, what, kernels }) => clockTable(`${shape}, ${what}`, "per epoch", kernels));
  const tables = [ceilingTable(report.ceilings), epochTable(report.epochs), ...kernelTables];
  return { text: tables.join("\n\n"), data: report };
}

function epochTable(epochs: readonly EpochResult[]): string {
  const columns = [left("shape"), left("what"), right("per epoch"), right("floor"), right("reached")];
  return formatTable(
    [...columns, right("at best"), right("memory"), left("check")],
    epochs.map(({ shape, what, secondsPerEpoch, floor, ratio, bestRatio, peakBytes, check }) => [
      shape,
      what,
      milliseconds(1000 * secondsPerEpoch),
      milliseconds(1000 * floor),
      percent(ratio),
      percent(bestRatio),
      formatBytes(peakBytes),
      check,
    ]),
  );
}

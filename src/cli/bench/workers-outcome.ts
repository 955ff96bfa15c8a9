import type { WorkersReport } from "../../bench/workers.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import type { Outcome } from "./outcome.ts";
import { milliseconds } from "./units.ts";

export function workersOutcome(report: WorkersReport): Outcome {
  const table = formatTable(
    [left("processes"), right("runs"), right("runs/s"), right("beside measuring, per run")],
    report.rates.map(({ workers, runs, seconds, overheadMs }) => [
      String(workers),
      String(runs),
      (runs / seconds).toFixed(1),
      milliseconds(overheadMs),
    ]),
  );
  return { text: `store ${report.store}\n\n${table}`, data: report };
}

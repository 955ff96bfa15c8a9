import type { StoreReport } from "../../bench/store.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import type { Outcome } from "./outcome.ts";
import { milliseconds } from "./units.ts";

export function storeOutcome(report: StoreReport): Outcome {
  const table = formatTable(
    [left("question"), right("rows"), right("time")],
    report.answers.map((answer) => [answer.question, String(answer.rows), milliseconds(answer.milliseconds)]),
  );
  const queue = `to take a run and keep its result: ${milliseconds(report.millisecondsPerRun)}`;
  return { text: `${report.runs} runs\n\n${table}\n\n${queue}`, data: report };
}

import type { AutoResult } from "../../bench/auto.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import type { Outcome } from "./outcome.ts";

export function autoOutcome(report: { auto: AutoResult[] }): Outcome {
  const rows = report.auto.flatMap(({ shape, accuracy, numTargets, stages, seconds }) => [
    [shape, "clean", accuracy.clean.toFixed(4), ""],
    ...stages.map((stage) => [
      shape,
      stage.name,
      (stage.score / numTargets).toFixed(4),
      `${stage.seconds.toFixed(1)} s`,
    ]),
    [shape, "all", accuracy.adversarial.toFixed(4), `${seconds.toFixed(1)} s`],
  ]);
  const columns = [left("shape"), left("stage"), right("accuracy"), right("time")];
  return { text: formatTable(columns, rows), data: report };
}

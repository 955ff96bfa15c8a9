import { meanError } from "../../experiment/mean-error.ts";
import type { Quantity } from "../../experiment/study/run-description.ts";
import { left, right } from "../../experiment/table-column.ts";
import type { Section } from "../document.ts";
import type { MeasuredRun } from "../results/measured-run.ts";
import { nodeBudget } from "../words.ts";
import type { SectionContext } from "./context.ts";

/** Quantities that have their own sections. */
const ELSEWHERE: readonly Quantity[] = ["accuracy", "success-rate", "certificate"];

/** Quantities other than accuracies, success rates and certificates; null if there are none. */
export function otherQuantitiesSection({ index }: SectionContext): Section | null {
  const others = index.runs.filter(({ quantity }) => !ELSEWHERE.includes(quantity));
  if (others.length === 0) return null;
  const keyOf = (run: MeasuredRun) =>
    JSON.stringify([run.quantity, run.dataset, run.model, run.attack, nodeBudget(run)]);
  const cells = [...Map.groupBy(others, keyOf).values()].map((runs) => {
    const { mean, standardError } = meanError(runs.map(({ value }) => value));
    const error = standardError === null ? "" : ` ± ${standardError.toFixed(4)}`;
    const { quantity, dataset, model, attack } = runs[0];
    return [
      quantity,
      dataset,
      model,
      attack ?? "none",
      nodeBudget(runs[0]),
      `${mean.toFixed(4)}${error}`,
      String(runs.length),
    ];
  });
  return {
    id: "other-quantities",
    title: "Other measurements",
    blocks: [
      {
        kind: "table",
        id: "other-table",
        caption: "Quantities beside accuracies: mean ± standard error over seeds.",
        columns: [...["quantity", "dataset", "model", "attack"].map(left), ...["budget", "value", "seeds"].map(right)],
        cells,
      },
    ],
  };
}

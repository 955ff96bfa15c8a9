import { meanError } from "../../experiment/mean-error.ts";
import { left, right } from "../../experiment/table-column.ts";
import { noiseText } from "../../graph/noise/noise-text.ts";
import type { Section } from "../document.ts";
import type { MeasuredRun } from "../results/measured-run.ts";
import type { SectionContext } from "./context.ts";

/** Certificates that were measured as runs of a study; null if there are none. */
export function certifiedRunsSection({ index }: SectionContext): Section | null {
  const certified = index.runs.filter(({ quantity }) => quantity === "certificate");
  if (certified.length === 0) return null;
  const keyOf = ({ dataset, model, description: { cell } }: MeasuredRun) =>
    JSON.stringify([dataset, model, cell.device, cell.certificate]);
  const cells = [...Map.groupBy(certified, keyOf).values()].map((runs) => {
    const { dataset, model, description } = runs[0];
    const { samples, ...certificate } = description.cell.certificate!;
    const { mean, standardError } = meanError(runs.map(({ value }) => value));
    const error = standardError === null ? "" : ` ± ${standardError.toFixed(3)}`;
    const clean = meanError(runs.map((run) => run.clean)).mean;
    const accumulated = `${mean.toFixed(3)}${error}`;
    return [
      dataset,
      model,
      noiseText(certificate),
      String(samples),
      clean.toFixed(3),
      accumulated,
      String(runs.length),
    ];
  });
  return {
    id: "certified-runs",
    title: "Certificates",
    blocks: [
      {
        kind: "table",
        id: "certified-table",
        caption:
          "Accumulated certificates of models that are smoothed with noise: shares of nodes that are right and certified, summed over all numbers of changes; mean ± standard error over seeds. Clean accuracies are those of the models without noise.",
        columns: [
          ...["dataset", "model", "noise"].map(left),
          ...["samples", "clean accuracy", "accumulated certificate", "seeds"].map(right),
        ],
        cells,
      },
    ],
  };
}

import type { Chart, ChartRow, Panel } from "./chart.ts";
import { distinct } from "./distinct.ts";
import type { Theme } from "./theme.ts";

/** Flips between two classes. */
export interface MatrixRow extends ChartRow {
  readonly panel: string;
  readonly action: "added" | "removed";
  readonly row: string;
  readonly column: string;
  readonly flips: number;
  /** As a share of the flips of the panel. */
  readonly share: number;
}

/** A matrix of classes for every panel; the darker a cell, the more flips. `classes` gives the order. */
export function flipMatrix(rows: readonly MatrixRow[], classes: readonly string[], theme: Theme): Chart {
  const showsNumbers = classes.length <= 10;
  const labels = { labelLimit: 70, domain: false, ticks: false, labelOverlap: true };
  const panels = distinct(rows.map(({ panel }) => panel)).map((panel): Panel => {
    const values = rows.filter((row) => row.panel === panel);
    const colour = values[0].action === "added" ? theme.added : theme.removed;
    const largest = Math.max(...values.map(({ share }) => share), 1e-9);
    const x = {
      field: "column",
      type: "nominal",
      title: "class",
      sort: classes,
      scale: { domain: classes },
      axis: { ...labels, labelAngle: 0 },
    };
    const y = {
      field: "row",
      type: "nominal",
      title: "class",
      sort: classes,
      scale: { domain: classes },
      axis: labels,
    };
    const cells = {
      mark: { type: "rect", color: colour, cornerRadius: 2, strokeWidth: 2 },
      encoding: {
        x,
        y,
        opacity: {
          field: "share",
          type: "quantitative",
          legend: null,
          scale: { domain: [0, largest], range: [0.04, 0.9] },
        },
      },
    };
    const numbers = {
      mark: { type: "text", fontSize: 10 },
      encoding: {
        x,
        y,
        text: { condition: { test: "datum.share >= 0.005", field: "share", format: ".0%" }, value: "" },
        color: { condition: { test: `datum.share > ${0.55 * largest}`, value: theme.surface }, value: theme.ink },
      },
    };
    return { title: panel, height: 290, spec: { data: { values }, layer: showsNumbers ? [cells, numbers] : [cells] } };
  });
  return { panels, legend: [], rows };
}

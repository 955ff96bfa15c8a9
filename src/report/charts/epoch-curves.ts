import type { Chart, ChartRow, LegendEntry } from "./chart.ts";
import { type AxisStyle, position } from "./curves.ts";
import { distinct } from "./distinct.ts";
import { seriesEncoding } from "./series-style.ts";

/** A value in one epoch of one run. */
export interface EpochRow extends ChartRow {
  readonly panel: string;
  readonly series: string;
  readonly seed: number;
  readonly epoch: number;
  readonly value: number | null;
}

/** A thin line for each run; `legend` has the look of the series. */
export function epochCurves(rows: readonly EpochRow[], y: AxisStyle, legend: readonly LegendEntry[]): Chart {
  const used = legend.filter(({ name }) => rows.some(({ series }) => series === name));
  const { color, strokeDash } = seriesEncoding("series", used);
  const panels = distinct(rows.map(({ panel }) => panel)).map((panel) => ({
    title: panel,
    spec: {
      data: { values: rows.filter((row) => row.panel === panel) },
      mark: { type: "line", strokeWidth: 1.4, opacity: 0.85 },
      encoding: {
        x: position("epoch", { title: "epoch" }),
        y: position("value", y),
        color,
        strokeDash,
        detail: { field: "seed", type: "nominal" },
      },
    },
  }));
  return { panels, legend: used, rows };
}

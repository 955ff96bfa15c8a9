import type { Chart, ChartRow, LegendEntry, Panel } from "./chart.ts";
import { type AxisStyle, position } from "./curves.ts";
import { distinct, seriesEncoding } from "./series-style.ts";

/** A bar. */
export interface BarRow extends ChartRow {
  readonly panel: string;
  readonly group: string;
  readonly series: string;
  readonly value: number;
}

export interface BarAxes {
  readonly group: string;
  readonly value: AxisStyle;
}

/** Bars of several series side by side in every group. */
export function groupedBars(rows: readonly BarRow[], axes: BarAxes, legend: readonly LegendEntry[]): Chart {
  const used = legend.filter(({ name }) => rows.some(({ series }) => series === name));
  const { color } = seriesEncoding("series", used);
  const groups = distinct(rows.map(({ group }) => group));
  const panels = distinct(rows.map(({ panel }) => panel)).map(
    (panel): Panel => ({
      title: panel,
      spec: {
        data: { values: rows.filter((row) => row.panel === panel) },
        mark: { type: "bar", cornerRadiusEnd: 1.5 },
        encoding: {
          x: {
            field: "group",
            type: "nominal",
            title: axes.group,
            sort: groups,
            axis: { labelAngle: 0, labelOverlap: true },
          },
          xOffset: { field: "series", type: "nominal", sort: used.map(({ name }) => name) },
          y: position("value", axes.value),
          color,
        },
      },
    }),
  );
  return { panels, legend: used, rows };
}

import type { Chart, ChartRow, LegendEntry, Panel } from "./chart.ts";
import { type AxisStyle, position } from "./curves.ts";
import { distinct } from "./distinct.ts";
import { type GroupAxis, groupPosition } from "./group-axis.ts";
import { seriesEncoding } from "./series-style.ts";

/** A bar. */
export interface BarRow extends ChartRow {
  readonly panel: string;
  readonly group: string;
  readonly series: string;
  readonly value: number;
}

export interface BarAxes {
  readonly group: GroupAxis;
  readonly value: AxisStyle;
}

/** Bars of several series side by side in every group. */
export function groupedBars(rows: readonly BarRow[], axes: BarAxes, legend: readonly LegendEntry[]): Chart {
  const used = legend.filter(({ name }) => rows.some(({ series }) => series === name));
  const { color } = seriesEncoding("series", used);
  const groups = distinct(rows.map(({ group }) => group)).filter((name) =>
    rows.some(({ group, value }) => group === name && value > 0),
  );
  const panels = distinct(rows.map(({ panel }) => panel)).map(
    (panel): Panel => ({
      title: panel,
      spec: {
        data: { values: rows.filter((row) => row.panel === panel && groups.includes(row.group)) },
        mark: { type: "bar", cornerRadiusEnd: 1.5 },
        encoding: {
          x: groupPosition(groups, axes.group),
          xOffset: { field: "series", type: "nominal", sort: used.map(({ name }) => name) },
          y: position("value", axes.value),
          color,
        },
      },
    }),
  );
  return { panels, legend: used.map((entry) => ({ ...entry, isBar: true })), rows };
}

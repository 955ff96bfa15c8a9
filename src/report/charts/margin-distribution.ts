import { beforeAfter, type When } from "./before-after.ts";
import type { Chart, ChartRow, Panel } from "./chart.ts";
import { position } from "./curves.ts";
import { distinct } from "./distinct.ts";
import { seriesEncoding } from "./series-style.ts";
import type { Theme } from "./theme.ts";

/** Share of the nodes whose margin lies in a bin, and the density of the margins there. */
export interface MarginRow extends ChartRow {
  readonly panel: string;
  readonly when: When;
  readonly from: number;
  readonly to: number;
  readonly share: number;
  readonly density: number;
}

/** Histograms of margins with density curves. Nodes with margins below zero are classified wrongly. */
export function marginDistribution(rows: readonly MarginRow[], theme: Theme): Chart {
  const legend = beforeAfter(theme).filter(({ name }) => rows.some(({ when }) => when === name));
  const { color } = seriesEncoding("when", legend);
  const panels = distinct(rows.map(({ panel }) => panel)).map((panel): Panel => {
    const ofPanel = rows.filter((row) => row.panel === panel);
    const x = position("from", { title: "margin of the true class" });
    const y = { title: "share of nodes", axis: { format: "%", tickCount: 4 } };
    return {
      title: panel,
      spec: {
        data: { values: ofPanel.map((row) => ({ ...row, middle: (row.from + row.to) / 2 })) },
        layer: [
          {
            mark: { type: "bar", opacity: 0.28, binSpacing: 0 },
            encoding: {
              x: { ...x, bin: "binned" },
              x2: { field: "to" },
              y: { field: "share", type: "quantitative", stack: null, ...y },
              color,
            },
          },
          {
            mark: { type: "line", interpolate: "monotone", strokeWidth: 2 },
            encoding: { x: { ...x, field: "middle" }, y: { field: "density", type: "quantitative", ...y }, color },
          },
          {
            data: { values: [{ zero: 0 }] },
            mark: { type: "rule", color: theme.ink, strokeDash: [3, 3], strokeWidth: 1 },
            encoding: { x: { ...x, field: "zero" } },
          },
        ],
      },
    };
  });
  return { panels, legend, rows };
}

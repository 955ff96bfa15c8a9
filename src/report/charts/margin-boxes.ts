import { beforeAfter, type When } from "./before-after.ts";
import type { Chart, ChartRow, Panel } from "./chart.ts";
import { distinct } from "./distinct.ts";
import { seriesEncoding } from "./series-style.ts";
import type { Theme } from "./theme.ts";

/** Five numbers of some margins. */
export interface BoxRow extends ChartRow {
  readonly panel: string;
  readonly group: string;
  readonly when: When;
  readonly smallest: number;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
  readonly largest: number;
}

/** Box plots of margins; those before and after an attack are below each other. */
export function marginBoxes(rows: readonly BoxRow[], theme: Theme): Chart {
  const legend = beforeAfter(theme).filter(({ name }) => rows.some(({ when }) => when === name));
  const { color } = seriesEncoding("when", legend);
  const panels = distinct(rows.map(({ panel }) => panel)).map((panel): Panel => {
    const values = rows.filter((row) => row.panel === panel);
    const groups = distinct(values.map(({ group }) => group));
    const y = { field: "group", type: "nominal", title: null, sort: groups, axis: { domain: false, ticks: false } };
    const yOffset = { field: "when", type: "nominal", sort: ["before", "after"] };
    const x = (field: string) => ({
      field,
      type: "quantitative",
      title: "margin of the true class",
      axis: { grid: true },
    });
    const shared = { y, yOffset, color };
    return {
      title: panel,
      height: 70 + 44 * groups.length,
      spec: {
        data: { values },
        layer: [
          {
            mark: { type: "rule", strokeWidth: 1.2 },
            encoding: { ...shared, x: x("smallest"), x2: { field: "largest" } },
          },
          {
            mark: { type: "bar", size: 11, opacity: 0.45 },
            encoding: { ...shared, x: x("lower"), x2: { field: "upper" } },
          },
          { mark: { type: "tick", size: 13, thickness: 2.5 }, encoding: { ...shared, x: x("median") } },
          {
            data: { values: [{ zero: 0 }] },
            mark: { type: "rule", color: theme.ink, strokeDash: [3, 3], strokeWidth: 1 },
            encoding: { x: x("zero") },
          },
        ],
      },
    };
  });
  return { panels, legend, rows };
}

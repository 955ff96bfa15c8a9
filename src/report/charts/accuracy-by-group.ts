import { beforeAfter, type When } from "./before-after.ts";
import type { Chart, ChartRow, Panel } from "./chart.ts";
import { position } from "./curves.ts";
import { distinct } from "./distinct.ts";
import { type GroupAxis, groupPosition } from "./group-axis.ts";
import { seriesEncoding } from "./series-style.ts";
import type { Theme } from "./theme.ts";

/** Accuracy of the nodes of a group, such as a degree or a class. */
export interface GroupRow extends ChartRow {
  readonly panel: string;
  readonly group: string;
  readonly when: When;
  readonly accuracy: number;
  readonly nodes: number;
}

/** The accuracy of each group before and after, joined by a line whose length shows the loss. */
export function accuracyByGroup(rows: readonly GroupRow[], axis: GroupAxis, theme: Theme): Chart {
  const legend = beforeAfter(theme).filter(({ name }) => rows.some(({ when }) => when === name));
  const { color, shape } = seriesEncoding("when", legend);
  const x = groupPosition(distinct(rows.map(({ group }) => group)), axis);
  const y = position("accuracy", { title: "accuracy", format: "%", domain: [0, 1] });
  const panels = distinct(rows.map(({ panel }) => panel)).map(
    (panel): Panel => ({
      title: panel,
      spec: {
        data: { values: rows.filter((row) => row.panel === panel) },
        layer: [
          {
            mark: { type: "line", color: theme.before, strokeWidth: 3, opacity: 0.45 },
            encoding: { x, y, detail: { field: "group", type: "nominal" } },
          },
          { mark: { type: "point", filled: true, size: 60, opacity: 1 }, encoding: { x, y, color, shape } },
        ],
      },
    }),
  );
  return { panels, legend, rows };
}

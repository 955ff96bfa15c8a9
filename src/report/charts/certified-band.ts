import type { Chart, ChartRow, LegendEntry, Panel } from "./chart.ts";
import { type AxisStyle, position } from "./curves.ts";
import { distinct } from "./distinct.ts";
import type { Theme } from "./theme.ts";

/** Bounds on the accuracy under the strongest attack with a budget. */
export interface BandRow extends ChartRow {
  readonly panel: string;
  readonly x: number;
  /** Lower bound: accuracy that a certificate guarantees. */
  readonly certified: number;
  /** Upper bound: accuracy that an attack leaves. */
  readonly attacked: number;
}

/** The band between certified and attacked accuracy: the true robust accuracy lies in it. */
export function certifiedBand(rows: readonly BandRow[], x: AxisStyle, theme: Theme): Chart {
  const legend: LegendEntry[] = [
    { name: "attacked: at most this", colour: theme.removed, shape: "square" },
    { name: "certified: at least this", colour: theme.added, dash: [6, 3], shape: "circle" },
  ];
  const y = { title: "accuracy", format: "%", domain: [0, 1] as const };
  const line = (field: keyof BandRow, { colour, dash = [], shape }: LegendEntry) => ({
    mark: { type: "line", color: colour, strokeDash: dash, strokeWidth: 2, point: { shape, color: colour, size: 42 } },
    encoding: { x: position("x", x), y: position(String(field), y) },
  });
  const panels = distinct(rows.map(({ panel }) => panel)).map(
    (panel): Panel => ({
      title: panel,
      spec: {
        data: { values: rows.filter((row) => row.panel === panel) },
        layer: [
          {
            mark: { type: "area", color: theme.before, opacity: 0.2 },
            encoding: { x: position("x", x), y: position("certified", y), y2: { field: "attacked" } },
          },
          line("attacked", legend[0]),
          line("certified", legend[1]),
        ],
      },
    }),
  );
  return { panels, legend, rows };
}

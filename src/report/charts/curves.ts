import type { Chart, ChartRow, Spec } from "./chart.ts";
import { distinct } from "./distinct.ts";
import { type SeriesStyle, seriesEncoding, styleOf } from "./series-style.ts";

/** A point of a curve that was measured several times. */
export interface CurveRow extends ChartRow {
  readonly panel: string;
  readonly series: string;
  readonly x: number;
  readonly mean: number;
  /** Interval of the mean; both null for a single measurement. */
  readonly low: number | null;
  readonly high: number | null;
}

/** An axis; `format` is a number format of d3. */
export interface AxisStyle {
  readonly title: string;
  readonly format?: string;
  readonly domain?: readonly [number, number];
  readonly log?: boolean;
}

export interface CurveAxes {
  readonly x: AxisStyle;
  readonly y: AxisStyle;
}

/** Curves with the intervals of their points, in panels. */
export function curves(rows: readonly CurveRow[], axes: CurveAxes, style: SeriesStyle): Chart {
  const legend = styleOf(
    style,
    rows.map(({ series }) => series),
  );
  const ticks = distinct(rows.map(({ x }) => x)).sort((a, b) => a - b);
  const { color, strokeDash, shape } = seriesEncoding("series", legend);
  const x = { ...position("x", axes.x), ...(ticks.length <= 7 && { axis: { ...axisOf(axes.x), values: ticks } }) };
  const y = position("mean", axes.y);
  const panels = distinct(rows.map(({ panel }) => panel)).map((panel) => {
    const spec: Spec = {
      data: { values: rows.filter((row) => row.panel === panel) },
      layer: [
        {
          transform: [{ filter: "isValid(datum.low)" }],
          mark: { type: "area", opacity: 0.14, line: false },
          encoding: { x, y: position("low", axes.y), y2: { field: "high" }, color },
        },
        { mark: { type: "line", strokeWidth: 2 }, encoding: { x, y, color, strokeDash } },
        {
          transform: [{ filter: "isValid(datum.low)" }],
          mark: { type: "rule", strokeWidth: 1.2 },
          encoding: { x, y: position("low", axes.y), y2: { field: "high" }, color },
        },
        { mark: { type: "point", filled: true, size: 42, opacity: 1 }, encoding: { x, y, color, shape } },
      ],
    };
    return { title: panel, spec };
  });
  return { panels, legend, rows };
}

/** The encoding of a quantity along an axis. */
export function position(field: string, axis: AxisStyle) {
  const { title, domain, log } = axis;
  const scale = { ...(domain && { domain }), ...(log && { type: "log" }), nice: domain === undefined };
  return { field, type: "quantitative", title, scale, axis: axisOf(axis) };
}

function axisOf({ format }: AxisStyle) {
  return format === undefined ? {} : { format };
}

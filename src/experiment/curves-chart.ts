import type { TopLevelSpec } from "vega-lite";

/** One point of a curve. */
export interface CurvePoint {
  /** Panel it is drawn in, such as the attack. */
  readonly panel: string;
  /** Curve it belongs to, such as the model. */
  readonly series: string;
  readonly x: number;
  readonly y: number;
}

/** A vertical or horizontal axis; `format` is one of d3's. */
export interface Axis {
  readonly title: string;
  readonly format?: string;
  readonly log?: boolean;
  readonly domain?: readonly [number, number];
}

export interface Curves {
  readonly title: string;
  readonly points: readonly CurvePoint[];
  readonly x: Axis;
  readonly y: Axis;
  /** Title of the legend: what each curve stands for, such as the model. */
  readonly series: string;
  /** Gives every panel a vertical axis of its own. */
  readonly ownScales?: boolean;
}

/** Points are marked one by one if there are fewer than this. */
const MARKED = 150;

/** Curves, one panel beside the other, as SVG text. */
export async function curvesChart(curves: Curves): Promise<string> {
  const [{ parse, View }, { compile }] = await Promise.all([import("vega"), import("vega-lite")]); // slow to load
  const { spec } = compile(curvesSpec(curves));
  const view = new View(parse(spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

function curvesSpec({ title, points, x, y, series, ownScales = false }: Curves): TopLevelSpec {
  const namesOf = (field: "panel" | "series") => [...new Set(points.map((point) => point[field]))]; // in input order
  const position = (field: "x" | "y", { title, format, log, domain }: Axis) => ({
    field,
    type: "quantitative" as const,
    title,
    ...(format && { axis: { format } }),
    ...((log || domain) && {
      scale: { ...(log && { type: "log" as const }), ...(domain && { domain: [...domain] }) },
    }),
  });
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: title, anchor: "start" },
    data: { values: [...points] },
    facet: { column: { field: "panel", type: "nominal", title: null, sort: namesOf("panel") } },
    spec: {
      width: 220,
      height: 220,
      mark: { type: "line", point: points.length < MARKED },
      encoding: {
        x: position("x", x),
        y: position("y", y),
        color: { field: "series", type: "nominal", title: series, sort: namesOf("series") },
        strokeDash: { field: "series", type: "nominal", sort: namesOf("series") },
      },
    },
    ...(ownScales && { resolve: { scale: { y: "independent" as const } } }),
    config: { background: "white", font: "sans-serif", legend: { labelLimit: 0 } }, // names in full
  };
}

import type { TopLevelSpec } from "vega-lite";

/** One point of a curve: the accuracy of a series at a budget. */
export interface AccuracyPoint {
  /** Panel it is drawn in, such as the attack. */
  readonly panel: string;
  /** Curve it belongs to, such as the model. */
  readonly series: string;
  readonly epsilon: number;
  readonly accuracy: number;
}

/** Accuracy over budget, one panel beside the other, as SVG text. The same specification can be drawn on a page. */
export async function accuracyChart(points: readonly AccuracyPoint[], title: string): Promise<string> {
  const [{ parse, View }, { compile }] = await Promise.all([import("vega"), import("vega-lite")]); // slow to load
  const { spec } = compile(accuracySpec(points, title));
  const view = new View(parse(spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

export function accuracySpec(points: readonly AccuracyPoint[], title: string): TopLevelSpec {
  const namesOf = (field: "panel" | "series") => [...new Set(points.map((point) => point[field]))]; // in their own order
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: title, anchor: "start" },
    data: { values: [...points] },
    facet: { column: { field: "panel", type: "nominal", title: null, sort: namesOf("panel") } },
    spec: {
      width: 220,
      height: 220,
      mark: { type: "line", point: true },
      encoding: {
        x: { field: "epsilon", type: "quantitative", title: "flipped edges, share", axis: { format: "%" } },
        y: { field: "accuracy", type: "quantitative", title: "test accuracy", scale: { domain: [0, 1] } },
        color: { field: "series", type: "nominal", title: "model", sort: namesOf("series") },
        strokeDash: { field: "series", type: "nominal", sort: namesOf("series") },
      },
    },
    config: { background: "white", font: "sans-serif" },
  };
}

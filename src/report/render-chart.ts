import type { TopLevelSpec } from "vega-lite";
import type { Spec } from "./charts/chart.ts";

/** Draws Vega-Lite specifications as SVG, without a browser. */
export async function chartRenderer(): Promise<(spec: Spec) => Promise<string>> {
  const [{ parse, View }, { compile }] = await Promise.all([import("vega"), import("vega-lite")]); // slow to load
  return async (spec) => {
    const compiled = compile(spec as unknown as TopLevelSpec);
    const view = new View(parse(compiled.spec), { renderer: "none" });
    try {
      return await view.toSVG();
    } finally {
      view.finalize();
    }
  };
}

import type { TopLevelSpec } from "vega-lite";
import type { Spec } from "./charts/chart.ts";
import { slimSvg } from "./slim-svg.ts";

/** Returns a function that draws Vega-Lite specifications as SVG, without a browser. */
export async function chartRenderer(): Promise<(spec: Spec) => Promise<string>> {
  const [{ parse, View }, { compile }] = await Promise.all([import("vega"), import("vega-lite")]); // slow to load
  return async (spec) => {
    const own = structuredClone(spec) as unknown as TopLevelSpec; // Vega adds numbers to the rows of data in place
    const compiled = compile(own);
    const view = new View(parse(compiled.spec), { renderer: "none" });
    try {
      return slimSvg(await view.toSVG());
    } finally {
      view.finalize();
    }
  };
}

import type { LegendEntry } from "./chart.ts";
import type { Theme } from "./theme.ts";

const DASHES: readonly (readonly number[])[] = [
  [],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
  [4, 2],
  [1, 2],
  [10, 3],
  [6, 2, 1, 2],
];
const SHAPES = [
  "circle",
  "square",
  "triangle-up",
  "diamond",
  "cross",
  "triangle-down",
  "triangle-right",
  "triangle-left",
];

/** How series are told apart: by colour, and by dash and shape for readers who cannot see the colours. */
export interface SeriesStyle {
  /** In the order of the legend. */
  readonly names: readonly string[];
  readonly legend: readonly LegendEntry[];
}

/**
 * Gives each name a style. It is made once for all names, so that a name looks the same in every chart. The first
 * `skipped` colours are left to other names, so that an attack does not look like a model.
 */
export function seriesStyle(names: readonly string[], { series }: Theme, skipped = 0): SeriesStyle {
  const legend = names.map((name, k) => ({
    name,
    colour: series[(skipped + k) % series.length],
    dash: DASHES[(k + Math.floor(k / series.length)) % DASHES.length],
    shape: SHAPES[k % SHAPES.length],
  }));
  return { names, legend };
}

/** The legend entries of the names that are used. */
export function styleOf({ legend }: SeriesStyle, used: Iterable<string>): LegendEntry[] {
  const wanted = new Set(used);
  return legend.filter(({ name }) => wanted.has(name));
}

/** Vega-Lite encodings for a field whose values are the names of a legend. */
export function seriesEncoding(field: string, legend: readonly LegendEntry[]) {
  const domain = legend.map(({ name }) => name);
  const channel = (range: readonly unknown[]) => ({ field, type: "nominal", legend: null, scale: { domain, range } });
  return {
    color: channel(legend.map(({ colour }) => colour)),
    strokeDash: channel(legend.map(({ dash = [] }) => dash)),
    shape: channel(legend.map(({ shape = "circle" }) => shape)),
  };
}

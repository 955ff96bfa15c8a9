import type { LegendEntry } from "./chart.ts";
import type { Theme } from "./theme.ts";

/** Before or after an attack. */
export type When = "before" | "after";

/** The legend entries of both, the same in every chart. */
export function beforeAfter({ before, after }: Theme): readonly LegendEntry[] {
  return [
    { name: "before", colour: before, shape: "circle" },
    { name: "after", colour: after, shape: "square" },
  ];
}

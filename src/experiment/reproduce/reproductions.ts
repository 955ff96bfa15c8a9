import { bias } from "./bias.ts";
import { pointMass } from "./point-mass.ts";
import { pushGradient } from "./push-gradient.ts";
import type { Reproduction } from "./report.ts";
import { strength } from "./strength/strength.ts";
import { tableReproduction } from "./table-report.ts";
import { tables } from "./tables.ts";
import { temperature } from "./temperature.ts";

/** Every table and figure that can be measured again, by name. */
export const reproductions: Readonly<Record<string, Reproduction>> = {
  ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, tableReproduction(table)])),
  temperature,
  bias,
  "point-mass": pointMass,
  "push-gradient": pushGradient,
  strength,
};

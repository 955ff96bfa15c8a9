import { bias } from "./bias.ts";
import { localReproduction } from "./local.ts";
import { localTables } from "./local-tables.ts";
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
  ...Object.fromEntries(Object.entries(localTables).map(([name, table]) => [name, localReproduction(table)])),
  temperature,
  bias,
  "point-mass": pointMass,
  "push-gradient": pushGradient,
  strength,
};

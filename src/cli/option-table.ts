import { type Description, defaultsOf, textOf } from "../core/options/index.ts";
import { left } from "../experiment/table-column.ts";
import { formatTable } from "./table.ts";

/** Options with their defaults, or other values where they are given, and what they are for. */
export function optionTable(
  description: Description,
  values: Readonly<Record<string, unknown>> = defaultsOf(description),
): string {
  const rows = Object.entries(description).map(([name, option]) => [
    `  ${name}`,
    textOf(option, values[name]),
    option.help,
  ]);
  return formatTable([left("  option"), left("default"), left("meaning")], rows);
}

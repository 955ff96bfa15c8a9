import { type Description, defaultsOf, textOf } from "../core/options/index.ts";
import { left } from "../experiment/table-column.ts";
import { formatTable } from "./table.ts";

/** A table of options with their values, by default the defaults, and their help. */
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

import type { Json } from "../../core/options/index.ts";
import { CELL_COLUMNS } from "../store/store.ts";
import type { TableRow } from "./table-formats.ts";

/** Columns left out of tables for people; csv and json have them. */
const TOO_MUCH = ["id", "cleanStandardError", "secondsMean", "peakBytes", "attempts", "seconds"];

/** Columns that always describe an experiment. */
const ALWAYS = ["dataset", "model", "attack", "epsilon"];

/** Columns that describe an experiment, left out if they are the same in every row. */
const DESCRIBING: readonly string[] = [...CELL_COLUMNS.filter((column) => !ALWAYS.includes(column)), "error"];

/**
 * Rows for people to read. Hyperparameters and options are reduced to those in which rows of the same model or attack
 * differ. Descriptions that are the same in every row are left out unless they were asked for.
 */
export function readableRows(rows: readonly TableRow[], asked: readonly string[] = []): TableRow[] {
  const short = distinguish(distinguish(rows, "hyperparameters", "model"), "options", "attack");
  const tellsApart = (name: string) => short.some((row) => row[name] !== short[0][name]);
  const names = Object.keys(short[0] ?? {}).filter(
    (name) => asked.includes(name) || (!TOO_MUCH.includes(name) && (!DESCRIBING.includes(name) || tellsApart(name))),
  );
  return short.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

/** Shortens JSON in a column to `name=value` for the values that differ between rows with the same `owner`. */
function distinguish(rows: readonly TableRow[], column: string, owner: string): TableRow[] {
  if (rows.some((row) => typeof row[column] !== "string")) return [...rows];
  const parsed = rows.map((row) => JSON.parse(row[column] as string) as Record<string, Json>);
  const seen = new Map<string, Set<string>>(); // values of each option of each owner; null where it is missing
  const names = new Set(parsed.flatMap(Object.keys));
  for (const [r, row] of rows.entries()) {
    for (const name of names) {
      const key = `${row[owner]} ${name}`;
      seen.set(key, (seen.get(key) ?? new Set()).add(JSON.stringify(parsed[r][name] ?? null)));
    }
  }
  return rows.map((row, r) => {
    const telling = Object.entries(parsed[r]).filter(([name]) => seen.get(`${row[owner]} ${name}`)!.size > 1);
    return { ...row, [column]: telling.map(([name, value]) => `${name}=${String(value)}`).join(" ") };
  });
}

import { lookup, PartialFailure } from "../core/errors.ts";
import { freshnessOf, type RowFreshness } from "../experiment/reproduce/freshness.ts";
import { reproductions } from "../experiment/reproduce/reproductions.ts";
import { Results } from "../experiment/reproduce/results.ts";
import { openFilledStore } from "../experiment/store/open-run-store.ts";
import { codeHashes } from "../experiment/study/code-hash.ts";
import { left, right } from "../experiment/table-column.ts";
import { formatTable } from "./table.ts";

interface CheckFlags {
  readonly store: string;
  readonly seeds?: readonly number[];
  readonly json?: boolean;
}

/** `rgnn reproduce --check`: which rows of which tables this code has measured, for one table or for all. */
export async function checkReproductions(
  name: string | undefined,
  { store: place, seeds, json }: CheckFlags,
): Promise<void> {
  const asked = name === undefined ? reproductions : { [name]: lookup(reproductions, name, "table or figure") };
  const measured = Object.entries(asked).filter(([, { datasets }]) => datasets.length > 0);
  const store = await openFilledStore(place);
  try {
    const datasets = [...new Set(measured.flatMap(([, reproduction]) => reproduction.datasets))];
    const results = await Results.read(store, datasets);
    const tables = measured.map(([table, reproduction]) => {
      const choice = { datasets: reproduction.datasets, seeds: seeds ?? reproduction.seeds };
      return { table, rows: freshnessOf(reproduction, choice, results) };
    });
    const code = codeHashes("attack");
    console.log(
      json ? JSON.stringify({ code, store: store.name, tables }) : describe(code, tables, name !== undefined),
    );
    const all = tables.flatMap(({ rows }) => rows);
    const old = all.filter((row) => !isCurrent(row));
    if (old.length > 0) throw new PartialFailure(`${old.length} of ${all.length} rows are stale or not measured`);
  } finally {
    await store.close();
  }
}

interface CheckedTable {
  readonly table: string;
  readonly rows: readonly RowFreshness[];
}

/** Counts of rows for each table and, if `isDetailed`, the rows that are not current. */
function describe([cpu, webgpu]: readonly string[], tables: readonly CheckedTable[], isDetailed: boolean): string {
  const columns = [left("table"), right("rows"), right("current"), right("stale"), right("missing")];
  const counts = tables.map(({ table, rows }) => {
    const stale = rows.filter((row) => row.stale.length > 0).length;
    const missing = rows.filter((row) => row.missing.length > 0).length;
    return [table, ...[rows.length, rows.filter(isCurrent).length, stale, missing].map(String)];
  });
  const old = tables.flatMap(({ rows }) => rows).filter((row) => !isCurrent(row));
  return [
    formatTable(columns, counts),
    "",
    `This code is ${cpu} on the CPU and ${webgpu} on a GPU. Stale: other code measured some seeds of the row. Missing: nobody has measured some of them.`,
    ...(isDetailed ? old.map(describeRow) : []),
  ].join("\n");
}

function isCurrent({ stale, missing }: RowFreshness): boolean {
  return stale.length === 0 && missing.length === 0;
}

function describeRow({ row, stale, missing }: RowFreshness): string {
  const parts = [
    ...(stale.length > 0 ? [`stale with seeds ${stale.join(", ")}`] : []),
    ...(missing.length > 0 ? [`missing with seeds ${missing.join(", ")}`] : []),
  ];
  return `  ${row}: ${parts.join("; ")}`;
}

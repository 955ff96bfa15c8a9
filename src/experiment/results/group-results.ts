import { bootstrapInterval } from "../statistics/bootstrap.ts";
import type { Aggregate, CellColumn, RunFilter, RunRow, RunStore } from "../store/store.ts";

/** Means over runs with bootstrap intervals; null where the interval is unknown. */
export interface ResultGroup extends Aggregate {
  readonly interval: readonly [number, number] | null;
}

/** With more values than this, single ones are not read: there are means and standard errors, but no intervals. */
const MOST_VALUES = 100_000;

/** Mean, standard error and bootstrap interval of the runs that agree in some columns. */
export async function groupResults(
  store: RunStore,
  filter: RunFilter,
  by: readonly CellColumn[],
  limit?: number,
): Promise<ResultGroup[]> {
  const groups = await store.aggregate(filter, by, limit);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  if (count > MOST_VALUES) return groups.map((group) => ({ ...group, interval: null }));
  const values = new Map<string, number[]>();
  for (const row of await allRuns(store, { ...filter, state: ["done"] })) {
    const key = keyOf(row, by);
    const known = values.get(key);
    if (known) known.push(row.value!);
    else values.set(key, [row.value!]);
  }
  return groups.map((group) => ({ ...group, interval: bootstrapInterval(values.get(keyOf(group.group, by)) ?? []) }));
}

/** Every run that matches a filter, read page by page. */
export async function allRuns(store: RunStore, filter: RunFilter): Promise<RunRow[]> {
  const all: RunRow[] = [];
  for (let after = 0; ; ) {
    const page = await store.list(filter, { limit: 10_000, after });
    if (page.length === 0) return all;
    all.push(...page);
    after = page.at(-1)!.number;
  }
}

/** The same text for rows that agree in the columns. */
export function keyOf(row: object, columns: readonly CellColumn[]): string {
  const values = row as Readonly<Record<string, unknown>>;
  return JSON.stringify(columns.map((column) => values[column]));
}

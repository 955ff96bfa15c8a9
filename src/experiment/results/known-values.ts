import { check } from "../../core/errors.ts";
import { CELL_COLUMNS, type CellColumn, type RunFilter, type RunStore } from "../store/store.ts";

/** Throws if a store has no study of this name. */
export async function checkStudy(store: RunStore, study: string): Promise<void> {
  const known = (await store.studies()).map(({ name }) => name);
  const holds = known.length > 0 ? `it has ${known.map((name) => JSON.stringify(name)).join(", ")}` : "it has none";
  check(known.includes(study), () => `${store.name}: has no study ${JSON.stringify(study)}; ${holds}`);
}

/**
 * Throws if a filter names a study, or a value of a column, that no run of the store has: an empty answer to a misspelt name would say
 * that nothing was measured (rule R3).
 */
export async function checkFilter(store: RunStore, filter: RunFilter): Promise<void> {
  if (filter.study !== undefined) await checkStudy(store, filter.study);
  const named = CELL_COLUMNS.filter((column) => filter[column] !== undefined);
  if (named.length === 0) return;
  const known = await store.values({});
  for (const column of named) checkColumn(store, column, filter[column]!, known[column]);
}

function checkColumn(
  store: RunStore,
  column: CellColumn,
  wanted: readonly (string | number)[],
  known: readonly (string | number)[],
): void {
  const unknown = wanted.find((value) => !known.includes(value));
  const text = (value: string | number) => (value === "" ? '""' : String(value));
  check(
    unknown === undefined,
    () =>
      `${store.name}: no run has the ${column} ${text(unknown!)}; there are ${known.map(text).join(", ") || "none"}`,
  );
}

import type { SqlValue } from "./database.ts";
import { CELL_COLUMNS, type RunFilter, type RunState } from "./store.ts";

/** States are written into the SQL, not passed as parameters: a query must name a state to use its partial index. */
const STATES: Readonly<Record<RunState, string>> = {
  waiting: "waiting",
  running: "running",
  done: "done",
  failed: "failed",
};

/** A condition in SQL and the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly parameters: SqlValue[];
}

/**
 * A filter as a condition on rows of `cells c` and `runs r`. Parameters count from `$1`, which is the study if one is
 * named.
 */
export function conditionOf(filter: RunFilter): Condition {
  const parameters: SqlValue[] = filter.study === undefined ? [] : [filter.study];
  const oneOf = (column: string, values: readonly SqlValue[]) =>
    `${column} IN (${values.map((value) => `$${parameters.push(value)}`).join()})`;
  const parts = CELL_COLUMNS.flatMap((column) => {
    const values = filter[column];
    return values ? [oneOf(`c.${column}`, values)] : [];
  });
  if (filter.seed) parts.push(oneOf("r.seed", filter.seed));
  if (filter.state) parts.push(`(${filter.state.map((state) => `r.state = '${STATES[state]}'`).join(" OR ")})`);
  return { sql: parts.join(" AND ") || "1 = 1", parameters };
}

/** The condition that `runs r` belongs to the study of this name. */
export function inStudy(parameter: string): string {
  return `EXISTS (SELECT 1 FROM study_runs s WHERE s.run = r.number AND s.study = (SELECT number FROM studies WHERE name = ${parameter}))`;
}

/** Whether a filter is about cells alone, so that their sums are the answer. */
export function asksForCells({ seed, state, study }: RunFilter): boolean {
  return seed === undefined && state === undefined && study === undefined;
}

/** Whether a filter is about runs alone, so that cells need not be read. */
export function asksForRunsAlone(filter: RunFilter): boolean {
  return CELL_COLUMNS.every((column) => filter[column] === undefined);
}

/** The part of a filter that is about cells. */
export function onlyCells({ seed: _, state: __, study: ___, ...ofCells }: RunFilter): RunFilter {
  return ofCells;
}

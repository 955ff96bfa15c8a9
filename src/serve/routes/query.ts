import type { Context } from "hono";
import { check } from "../../core/errors.ts";
import {
  CELL_COLUMNS,
  type CellColumn,
  type RunFilter,
  type RunState,
  SORT_COLUMNS,
  type SortedPage,
} from "../../experiment/store/store.ts";

const STATES: readonly RunState[] = ["waiting", "running", "done", "failed"];
const NUMBERS: readonly string[] = ["epsilon", "budget"];
const FILTERS: readonly string[] = [...CELL_COLUMNS, "seed", "state", "study"];

/** Most values of one name: databases refuse queries with too many. */
const MOST_VALUES = 500;

/** Which runs a query asks for. A name that is neither a filter nor one of `others` is an error (rule R3). */
export function filterOf(c: Context, others: readonly string[] = []): RunFilter {
  const filter: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (others.includes(name)) continue;
    check(FILTERS.includes(name), () => `unknown filter "${name}"; known are ${[...FILTERS, ...others].join(", ")}`);
    check(
      values.length <= MOST_VALUES,
      () => `${name}: ${values.length} values are too many; give ${MOST_VALUES} or fewer`,
    );
    if (name === "study") filter[name] = one(name, values);
    else if (name === "seed") filter[name] = values.map((value) => wholeNumber(name, value));
    else if (name === "state") filter[name] = values.map((value) => oneOf(name, value, STATES));
    else filter[name] = NUMBERS.includes(name) ? values.map((value) => finiteNumber(name, value)) : values;
  }
  return filter;
}

/** Columns to group by. */
export function columnsOf(c: Context): CellColumn[] {
  return (c.req.queries("by") ?? []).map((name) => oneOf("by", name, CELL_COLUMNS));
}

/** `sort=-value` sorts by the column `value`, the largest first; null without `sort`. */
export function sortOf(c: Context): Pick<SortedPage, "by" | "isDescending"> | null {
  const text = c.req.query("sort");
  if (text === undefined) return null;
  return { by: oneOf("sort", text.replace(/^-/, ""), SORT_COLUMNS), isDescending: text.startsWith("-") };
}

/** A whole number from the query, within limits. */
export function numberOf(
  c: Context,
  name: string,
  limits: { readonly otherwise: number; readonly most: number },
): number {
  const text = c.req.query(name);
  if (text === undefined) return limits.otherwise;
  const value = wholeNumber(name, text);
  check(value <= limits.most, () => `${name} must be ${limits.most} or less, got ${value}`);
  return value;
}

/** The text of a required parameter. */
export function textOf(c: Context, name: string): string {
  const text = c.req.query(name);
  check(text !== undefined && text !== "", () => `${name} is missing`);
  return text;
}

function one(name: string, values: readonly string[]): string {
  check(values.length === 1, () => `${name} can be given once`);
  return values[0];
}

function oneOf<const T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  check(found !== undefined, () => `${name}: unknown "${value}"; known are ${known.join(", ")}`);
  return found;
}

function wholeNumber(name: string, text: string): number {
  const value = finiteNumber(name, text);
  const isFit = Number.isInteger(value) && value >= 0 && value < 2 ** 31; // the range of an integer in PostgreSQL
  check(isFit, () => `${name} must be a whole number from 0, got "${text}"`);
  return value;
}

function finiteNumber(name: string, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  check(Number.isFinite(value), () => `${name} must be a number, got "${text}"`);
  return value;
}

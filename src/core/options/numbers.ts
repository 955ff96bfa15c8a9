import type { Option, Schema } from "./option.ts";

/** Limits of a whole number: the smallest, and what it must be a multiple of. */
export interface WholeNumberLimits {
  readonly from: number;
  readonly multipleOf?: number;
}

/** A whole number. */
export function wholeNumber(
  details: WholeNumberLimits & { readonly default: number; readonly help: string },
): Option<number> {
  const { from, multipleOf = 1 } = details;
  return {
    default: details.default,
    help: details.help,
    must: multipleOf === 1 ? `a whole number from ${from}` : `a multiple of ${multipleOf} from ${from}`,
    accepts: (value) => isWholeNumber(value, details),
    parse: parseNumber,
    toJson: (value) => value,
    schema: wholeNumberSchema(details),
  };
}

/** A list of whole numbers, such as the widths of layers; as a text they are separated by commas. */
export function wholeNumbers(details: {
  readonly from: number;
  readonly default: readonly number[];
  readonly help: string;
}): Option<readonly number[]> {
  return {
    default: details.default,
    help: details.help,
    must: `whole numbers from ${details.from}, such as 64,32`,
    accepts: (value) => Array.isArray(value) && value.every((each) => isWholeNumber(each, details)),
    parse: parseNumbers,
    toJson: (value) => value,
    schema: { type: "array", items: wholeNumberSchema(details) },
  };
}

/** Limits of a real number: `from` and `to` are inclusive, `above` and `below` exclusive. */
export interface RealNumberLimits {
  readonly from?: number;
  readonly to?: number;
  readonly above?: number;
  readonly below?: number;
}

/** A finite number. */
export function realNumber(
  details: RealNumberLimits & { readonly default: number; readonly help: string },
): Option<number> {
  const low = details.from ?? details.above ?? Number.NEGATIVE_INFINITY;
  const high = details.to ?? details.below ?? Number.POSITIVE_INFINITY;
  return {
    default: details.default,
    help: details.help,
    must: `a number${rangeText(details)}`,
    accepts: (value) =>
      isFiniteNumber(value) &&
      value >= low &&
      value <= high &&
      !(details.from === undefined && value === low) &&
      !(details.to === undefined && value === high),
    parse: parseNumber,
    toJson: (value) => value,
    schema: realNumberSchema(details),
  };
}

function rangeText({ from, to, above, below }: RealNumberLimits): string {
  const low = from ?? above;
  const high = to ?? below;
  if (low !== undefined && high !== undefined) {
    return ` in ${from === undefined ? "(" : "["}${low}, ${high}${to === undefined ? ")" : "]"}`;
  }
  if (low !== undefined) return from === undefined ? ` above ${low}` : ` from ${low}`;
  if (high !== undefined) return to === undefined ? ` below ${high}` : ` up to ${high}`;
  return "";
}

function realNumberSchema({ from, to, above, below }: RealNumberLimits): Schema {
  return {
    type: "number",
    ...(from !== undefined && { minimum: from }),
    ...(to !== undefined && { maximum: to }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(below !== undefined && { exclusiveMaximum: below }),
  };
}

function wholeNumberSchema({ from, multipleOf }: WholeNumberLimits): Schema {
  return { type: "integer", minimum: from, ...(multipleOf !== undefined && { multipleOf }) };
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isWholeNumber(value: unknown, { from, multipleOf = 1 }: WholeNumberLimits): boolean {
  return isFiniteNumber(value) && Number.isSafeInteger(value) && value >= from && value % multipleOf === 0;
}

function parseNumber(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

function parseNumbers(text: string): number[] | undefined {
  if (text === "") return [];
  const values = text.split(",").map(parseNumber);
  return values.every((value) => value !== undefined) ? values : undefined;
}

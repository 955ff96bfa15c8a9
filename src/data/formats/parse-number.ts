const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const E = 69;
const e = 101;
/** 10^0 … 10^22 are exact doubles. */
const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/**
 * The decimal number in `bytes[begin … end)`, or undefined if it is none. Without an exponent, up to 15 digits with up
 * to 22 decimals are an exact integer over an exact power of ten: correctly rounded, and ten times faster than making a
 * string. Everything else, `nan` and `inf` included, goes through a string.
 */
export function parseNumber(bytes: Uint8Array, begin: number, end: number): number | undefined {
  let at = begin;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  let mantissa = 0;
  let digits = 0;
  let decimals = 0;
  let dots = 0;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte >= ZERO && byte <= NINE) {
      mantissa = 10 * mantissa + byte - ZERO;
      digits++;
      decimals += dots;
    } else if (byte === DOT && dots === 0) dots = 1;
    else break;
  }
  if (at < end && (digits === 0 || (bytes[at] !== E && bytes[at] !== e))) return parseSlowly(bytes, begin, end);
  if (digits === 0) return undefined;
  if (at < end || digits > 15 || decimals > 22) return parseSlowly(bytes, begin, end);
  const value = decimals ? mantissa / POWERS[decimals] : mantissa;
  return negative ? -value : value;
}

function parseSlowly(bytes: Uint8Array, begin: number, end: number): number | undefined {
  if (end - begin > 400) return undefined; // no number is that long
  const text = String.fromCharCode(...bytes.subarray(begin, end)).trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?inf(inity)?$/i.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return undefined;
}

/** True for the text of a decimal number. */
export function isNumeric(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
}

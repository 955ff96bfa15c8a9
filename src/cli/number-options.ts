import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError(`must be a whole number, got "${text}".`);
  return value;
}

export function realNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError(`must be a number, got "${text}".`);
  return value;
}

/** `0,1,5` or `0-31`: one seed or several, each once. */
export function seedList(text: string): readonly number[] {
  return distinct(text.split(",").flatMap(wholeNumbers));
}

/** `3`, or `0-31` for all from the first to the last. */
function wholeNumbers(text: string): number[] {
  const range = /^(\d+)-(\d+)$/.exec(text);
  if (!range) return [wholeNumber(text)];
  const first = wholeNumber(range[1]);
  const last = wholeNumber(range[2]);
  if (last < first || last - first >= MOST)
    throw new InvalidArgumentError(`must go up, to at most ${MOST} numbers, got "${text}".`);
  return Array.from({ length: last - first + 1 }, (_, k) => first + k);
}

/** `0.1`, `0.05,0.1`, or `0.01:0.1:4` for four evenly spaced values from 0.01 to 0.1. */
export function epsilonList(text: string): readonly number[] {
  if (!text.includes(":")) return distinct(text.split(",").map(realNumber));
  const parts = text.split(":");
  if (parts.length !== 3)
    throw new InvalidArgumentError(`must look like 0.01:0.1:4 (from, to, how many), got "${text}".`);
  const from = realNumber(parts[0]);
  const to = realNumber(parts[1]);
  const count = wholeNumber(parts[2]);
  if (count < 2 || count > MOST) throw new InvalidArgumentError(`must have 2 to ${MOST} values, got "${text}".`);
  const step = (to - from) / (count - 1);
  return distinct(Array.from({ length: count }, (_, k) => Number((from + k * step).toPrecision(12)))); // 0.07, not 0.07000…01
}

/** Longer lists are refused as slips: nobody has the time to measure them. */
const MOST = 1000;

function distinct(values: readonly number[]): readonly number[] {
  const twice = values.find((value, k) => values.indexOf(value) !== k);
  if (twice !== undefined) throw new InvalidArgumentError(`names ${twice} twice.`);
  return values;
}

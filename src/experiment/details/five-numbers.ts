import { shortNumber } from "./short-number.ts";

/** Smallest, lower quartile, median, upper quartile, largest: what a box plot draws. */
export type FiveNumbers = readonly [number, number, number, number, number];

/** Null if there are no values. */
export function fiveNumbers(values: ArrayLike<number>): FiveNumbers | null {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  if (sorted.length === 0) return null;
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)];
    return shortNumber(below + (place % 1) * (sorted[Math.ceil(place)] - below));
  };
  return [at(0), at(0.25), at(0.5), at(0.75), at(1)];
}

import { check } from "../core/errors.ts";

/** What 16 random bits must reach for an element to be kept: the same whole number on every backend. */
export function dropoutThreshold(rate: number): number {
  check(rate >= 0 && rate < 1, () => `dropout: rate must be in [0, 1), got ${rate}`);
  return Math.min(Math.ceil(rate * 2 ** 16), 2 ** 16 - 1);
}

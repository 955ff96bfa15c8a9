import { check } from "../core/errors.ts";
import type { Key } from "../core/philox.ts";
import type { Buffer } from "./backend.ts";

/** An element is kept if its 16 random bits are at least this number, which is the same on every backend. */
export function dropoutThreshold(rate: number): number {
  check(rate >= 0 && rate < 1, () => `dropout: rate must be in [0, 1), got ${rate}`);
  return Math.min(Math.ceil(rate * 2 ** 16), 2 ** 16 - 1);
}

/** A dropout, alone or behind an activation. */
export interface Dropout {
  /** The kernel's name, for errors. */
  readonly name: string;
  readonly out: Buffer;
  readonly X: Buffer;
  readonly rate: number;
  readonly key: Key;
  /** Elements below are raised to this first: 0 for a relu before the dropout, else −∞. */
  readonly floor: number;
}

import { check } from "../core/errors.ts";
import type { Key } from "../core/philox.ts";
import type { Buffer } from "./backend.ts";

/** What 16 random bits must reach for an element to be kept: the same whole number on every backend. */
export function dropoutThreshold(rate: number): number {
  check(rate >= 0 && rate < 1, () => `dropout: rate must be in [0, 1), got ${rate}`);
  return Math.min(Math.ceil(rate * 2 ** 16), 2 ** 16 - 1);
}

/** A dropout, alone or behind an activation. */
export interface Dropout {
  /** Of the kernel, for errors. */
  readonly name: string;
  readonly out: Buffer;
  readonly X: Buffer;
  readonly rate: number;
  readonly key: Key;
  /** What is below is raised to this first: 0 behind a relu. */
  readonly floor: number;
}

import type { Buffer } from "../backend.ts";
import { floats, ints } from "./storage.ts";

/** Reductions of a whole buffer to one number, written to `out[0]`. The first input determines the length. */

export function dot(out: Buffer, A: Buffer, B: Buffer | null): void {
  const y = floats("dot", "out", out, 1);
  const a = floats("dot", "A", A);
  const b = B && floats("dot", "B", B, a.length);
  let sum = 0;
  for (let e = 0; e < a.length; e++) sum += a[e] * (b ? b[e] : 1);
  y[0] = sum;
}

export function max(out: Buffer, X: Buffer): void {
  const y = floats("max", "out", out, 1);
  const x = floats("max", "X", X);
  y[0] = x.reduce((top, value) => Math.max(top, value), Number.NEGATIVE_INFINITY);
}

export function countEqual(out: Buffer, A: Buffer, B: Buffer): void {
  const y = floats("countEqual", "out", out, 1);
  const a = ints("countEqual", "A", A);
  const b = ints("countEqual", "B", B, a.length);
  let count = 0;
  for (let e = 0; e < a.length; e++) if (a[e] === b[e]) count++;
  y[0] = count;
}

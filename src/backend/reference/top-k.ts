import { check, ShapeError } from "../../core/errors.ts";
import type { Buffer } from "../backend.ts";
import { floats, ints } from "./storage.ts";

export function topK(out: Buffer, X: Buffer): void {
  const y = ints("topK", "out", out);
  const x = floats("topK", "X", X);
  check(y.length <= x.length, () => `topK: ${y.length} of ${x.length} values asked for`, ShapeError);
  y.set(descending(x).subarray(0, y.length));
}

/** Indices from the largest value to the smallest, the lower index first on ties. */
export function descending(x: Float64Array): Int32Array {
  const order = Int32Array.from(x, (_, e) => e);
  return order.sort((a, b) => (x[a] === x[b] ? a - b : x[b] - x[a]));
}

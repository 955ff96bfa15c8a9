import { type Key, philox } from "../../core/philox.ts";
import type { Buffer } from "../backend.ts";
import { dropoutThreshold } from "../dropout.ts";
import { floats } from "./storage.ts";

export function dropout(out: Buffer, X: Buffer, rate: number, key: Key): void {
  keepSome("dropout", out, X, { rate, key, floor: Number.NEGATIVE_INFINITY });
}

export function reluDropout(out: Buffer, X: Buffer, rate: number, key: Key): void {
  keepSome("reluDropout", out, X, { rate, key, floor: 0 });
}

export function reluDropoutGrad(dX: Buffer, dY: Buffer, Y: Buffer, rate: number): void {
  const name = "reluDropoutGrad";
  const { length } = dX;
  const dx = floats(name, "dX", dX);
  const dy = floats(name, "dY", dY, length);
  const y = floats(name, "Y", Y, length);
  for (let e = 0; e < length; e++) dx[e] = y[e] > 0 ? dy[e] / (1 - rate) : 0;
}

interface Mask {
  readonly rate: number;
  readonly key: Key;
  /** Elements below are raised to this. */
  readonly floor: number;
}

/** Keeps max(x, floor) where 16 bits of Philox reach the threshold: two elements per word, the lower half first. */
function keepSome(name: string, out: Buffer, X: Buffer, { rate, key, floor }: Mask): void {
  const threshold = dropoutThreshold(rate);
  const y = floats(name, "out", out);
  const x = floats(name, "X", X, out.length);
  const words = new Uint32Array(4);
  for (let e = 0; e < y.length; e++) {
    if (e % 8 === 0) philox(words, key, e / 8);
    const word = words[(e % 8) >> 1];
    const half = e % 2 === 0 ? word & 0xffff : word >>> 16;
    y[e] = half >= threshold ? Math.max(x[e], floor) / (1 - rate) : 0;
  }
}

// One row of a sparse product with many columns: whole rows of X, four at a time, so that the memory system follows
// four streams at once; the row of the result stays in the first cache.
import { madd } from "../shared/fma";

/** From this many bytes on, streaming whole rows of X beats keeping the result in registers. */
export const WIDE: usize = 4 * 96;

/** As `narrowRow`. */
export function wideRow(
  row: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  bytes: usize,
  size: usize,
  accumulate: i32,
): void {
  if (!accumulate) clear(row, bytes);
  let e: usize = 0;
  for (; e + 16 <= size; e += 16) {
    addFour(
      row,
      bytes,
      x + <usize>load<u32>(colIdx + e) * bytes,
      x + <usize>load<u32>(colIdx + e, 4) * bytes,
      x + <usize>load<u32>(colIdx + e, 8) * bytes,
      x + <usize>load<u32>(colIdx + e, 12) * bytes,
      values ? v128.load(values + e) : f32x4.splat(1),
    );
  }
  if (e + 8 <= size) {
    addTwo(
      row,
      bytes,
      x + <usize>load<u32>(colIdx + e) * bytes,
      x + <usize>load<u32>(colIdx + e, 4) * bytes,
      values ? load<f32>(values + e) : 1,
      values ? load<f32>(values + e, 4) : 1,
    );
    e += 8;
  }
  if (e < size) addOne(row, bytes, x + <usize>load<u32>(colIdx + e) * bytes, values ? load<f32>(values + e) : 1);
}

function clear(row: usize, bytes: usize): void {
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(row + at, f32x4.splat(0));
  for (; at < bytes; at += 4) store<f32>(row + at, 0);
}

function addFour(row: usize, bytes: usize, x0: usize, x1: usize, x2: usize, x3: usize, weights: v128): void {
  const w0 = i32x4.shuffle(weights, weights, 0, 0, 0, 0);
  const w1 = i32x4.shuffle(weights, weights, 1, 1, 1, 1);
  const w2 = i32x4.shuffle(weights, weights, 2, 2, 2, 2);
  const w3 = i32x4.shuffle(weights, weights, 3, 3, 3, 3);
  let at: usize = 0;
  for (; at + 32 <= bytes; at += 32) {
    let a = madd(w0, v128.load(x0 + at), v128.load(row + at));
    let b = madd(w0, v128.load(x0 + at, 16), v128.load(row + at, 16));
    a = madd(w1, v128.load(x1 + at), a);
    b = madd(w1, v128.load(x1 + at, 16), b);
    a = madd(w2, v128.load(x2 + at), a);
    b = madd(w2, v128.load(x2 + at, 16), b);
    v128.store(row + at, madd(w3, v128.load(x3 + at), a));
    v128.store(row + at, madd(w3, v128.load(x3 + at, 16), b), 16);
  }
  if (at + 16 <= bytes) {
    let a = madd(w0, v128.load(x0 + at), v128.load(row + at));
    a = madd(w1, v128.load(x1 + at), a);
    a = madd(w2, v128.load(x2 + at), a);
    v128.store(row + at, madd(w3, v128.load(x3 + at), a));
    at += 16;
  }
  for (; at < bytes; at += 4) {
    let a = load<f32>(row + at) + f32x4.extract_lane(w0, 0) * load<f32>(x0 + at);
    a += f32x4.extract_lane(w1, 0) * load<f32>(x1 + at);
    a += f32x4.extract_lane(w2, 0) * load<f32>(x2 + at);
    store<f32>(row + at, a + f32x4.extract_lane(w3, 0) * load<f32>(x3 + at));
  }
}

function addTwo(row: usize, bytes: usize, x0: usize, x1: usize, f0: f32, f1: f32): void {
  const w0 = f32x4.splat(f0);
  const w1 = f32x4.splat(f1);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    v128.store(row + at, madd(w1, v128.load(x1 + at), madd(w0, v128.load(x0 + at), v128.load(row + at))));
  }
  for (; at < bytes; at += 4) {
    store<f32>(row + at, load<f32>(row + at) + f0 * load<f32>(x0 + at) + f1 * load<f32>(x1 + at));
  }
}

function addOne(row: usize, bytes: usize, x: usize, weight: f32): void {
  const w = f32x4.splat(weight);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(row + at, madd(w, v128.load(x + at), v128.load(row + at)));
  for (; at < bytes; at += 4) store<f32>(row + at, load<f32>(row + at) + weight * load<f32>(x + at));
}

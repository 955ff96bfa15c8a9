// The gradient of Soft Median by the features, rows begin … end − 1 of the transposed pattern.
import { madd } from "./fma";

/** dX_j (+)= Σ_e direct_e G_i + pull_e (X_j − M_i). */
export function pullRows(
  begin: i32,
  end: i32,
  dx: usize,
  rowPtr: usize,
  colIdx: usize,
  direct: usize,
  pull: usize,
  g: usize,
  m: usize,
  x: usize,
  cols: i32,
  accumulate: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let j = begin; j < end; j++) {
    let e = (<usize>load<u32>(rowPtr + ((<usize>j) << 2))) << 2;
    const last = (<usize>load<u32>(rowPtr + ((<usize>j) << 2), 4)) << 2;
    const row = dx + <usize>j * bytes;
    const own = x + <usize>j * bytes;
    if (!accumulate) for (let at: usize = 0; at < bytes; at += 4) store<f32>(row + at, 0);
    for (; e + 8 <= last; e += 8) {
      const i0 = <usize>load<u32>(colIdx + e) * bytes;
      const i1 = <usize>load<u32>(colIdx + e, 4) * bytes;
      addTwo(row, own, bytes, g + i0, m + i0, g + i1, m + i1, direct + e, pull + e);
    }
    if (e < last) {
      const i = <usize>load<u32>(colIdx + e) * bytes;
      addOne(row, own, bytes, g + i, m + i, load<f32>(direct + e), load<f32>(pull + e));
    }
  }
}

function addTwo(
  row: usize,
  x: usize,
  bytes: usize,
  g0: usize,
  m0: usize,
  g1: usize,
  m1: usize,
  direct: usize,
  pull: usize,
): void {
  const a0 = v128.load32_splat(direct);
  const a1 = v128.load32_splat(direct, 4);
  const b0 = v128.load32_splat(pull);
  const b1 = v128.load32_splat(pull, 4);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const own = v128.load(x + at);
    let sum = madd(a0, v128.load(g0 + at), v128.load(row + at));
    sum = madd(b0, f32x4.sub(own, v128.load(m0 + at)), sum);
    sum = madd(a1, v128.load(g1 + at), sum);
    v128.store(row + at, madd(b1, f32x4.sub(own, v128.load(m1 + at)), sum));
  }
  if (at < bytes) {
    addOne(row + at, x + at, bytes - at, g0 + at, m0 + at, load<f32>(direct), load<f32>(pull));
    addOne(row + at, x + at, bytes - at, g1 + at, m1 + at, load<f32>(direct, 4), load<f32>(pull, 4));
  }
}

function addOne(row: usize, x: usize, bytes: usize, g: usize, m: usize, direct: f32, pull: f32): void {
  const a = f32x4.splat(direct);
  const b = f32x4.splat(pull);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const sum = madd(a, v128.load(g + at), v128.load(row + at));
    v128.store(row + at, madd(b, f32x4.sub(v128.load(x + at), v128.load(m + at)), sum));
  }
  for (; at < bytes; at += 4) {
    const sum = load<f32>(row + at) + direct * load<f32>(g + at);
    store<f32>(row + at, sum + pull * (load<f32>(x + at) - load<f32>(m + at)));
  }
}

/** out_{at_ic, c} += X_ic for all rows i in order, but only columns begin … end − 1: the columns are what threads share out. */
export function scatterAddEntries(begin: i32, end: i32, out: usize, x: usize, at: usize, rows: i32, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  const first = (<usize>begin) << 2;
  const last = (<usize>end) << 2;
  for (let i = 0; i < rows; i++) {
    const row = <usize>i * bytes;
    for (let c = first; c < last; c += 4) {
      const to = load<i32>(at + row + c);
      if (to < 0) continue;
      const place = out + <usize>to * bytes + c;
      store<f32>(place, load<f32>(place) + load<f32>(x + row + c));
    }
  }
}

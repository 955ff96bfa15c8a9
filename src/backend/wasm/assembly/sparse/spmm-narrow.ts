// One row of a sparse product with few columns: a slab of up to 32 columns of the result stays in registers while the
// entries of the row go by.
import { madd } from "../shared/fma";

/** row (+)= Σ_e value_e · X_e for the entries in `size` bytes of column indices; all values are 1 if `values` is 0. */
export function narrowRow(
  row: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  bytes: usize,
  size: usize,
  accumulate: i32,
): void {
  let c: usize = 0;
  for (; c + 128 <= bytes; c += 128) slab32(row + c, colIdx, values, x + c, bytes, size, accumulate);
  for (; c + 16 < bytes; c += 32) slab8(row + c, colIdx, values, x + c, bytes, size, accumulate, bytes - c);
  if (c >= bytes) return; // the last slab8 covered the rest
  const start = accumulate ? v128.load(row + c) : f32x4.splat(0);
  storeColumns(row + c, slab4(start, colIdx, values, x + c, bytes, size), bytes - c);
}

function slab32(out: usize, colIdx: usize, values: usize, x: usize, bytes: usize, size: usize, accumulate: i32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  if (accumulate) {
    s0 = v128.load(out);
    s1 = v128.load(out, 16);
    s2 = v128.load(out, 32);
    s3 = v128.load(out, 48);
    s4 = v128.load(out, 64);
    s5 = v128.load(out, 80);
    s6 = v128.load(out, 96);
    s7 = v128.load(out, 112);
  }
  if (values) {
    for (let e: usize = 0; e < size; e += 4) {
      const from = x + <usize>load<u32>(colIdx + e) * bytes;
      const w = v128.load32_splat(values + e);
      s0 = madd(w, v128.load(from), s0);
      s1 = madd(w, v128.load(from, 16), s1);
      s2 = madd(w, v128.load(from, 32), s2);
      s3 = madd(w, v128.load(from, 48), s3);
      s4 = madd(w, v128.load(from, 64), s4);
      s5 = madd(w, v128.load(from, 80), s5);
      s6 = madd(w, v128.load(from, 96), s6);
      s7 = madd(w, v128.load(from, 112), s7);
    }
  } else {
    for (let e: usize = 0; e < size; e += 4) {
      const from = x + <usize>load<u32>(colIdx + e) * bytes;
      s0 = f32x4.add(s0, v128.load(from));
      s1 = f32x4.add(s1, v128.load(from, 16));
      s2 = f32x4.add(s2, v128.load(from, 32));
      s3 = f32x4.add(s3, v128.load(from, 48));
      s4 = f32x4.add(s4, v128.load(from, 64));
      s5 = f32x4.add(s5, v128.load(from, 80));
      s6 = f32x4.add(s6, v128.load(from, 96));
      s7 = f32x4.add(s7, v128.load(from, 112));
    }
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
  v128.store(out, s4, 64);
  v128.store(out, s5, 80);
  v128.store(out, s6, 96);
  v128.store(out, s7, 112);
}

/** Up to eight columns, at least five, as two vectors. Columns beyond `left` bytes are read too, but not stored. */
function slab8(
  out: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  bytes: usize,
  size: usize,
  accumulate: i32,
  left: usize,
): void {
  let s0 = accumulate ? v128.load(out) : f32x4.splat(0);
  let s1 = accumulate ? v128.load(out, 16) : f32x4.splat(0);
  if (values) {
    for (let e: usize = 0; e < size; e += 4) {
      const from = x + <usize>load<u32>(colIdx + e) * bytes;
      const w = v128.load32_splat(values + e);
      s0 = madd(w, v128.load(from), s0);
      s1 = madd(w, v128.load(from, 16), s1);
    }
  } else {
    for (let e: usize = 0; e < size; e += 4) {
      const from = x + <usize>load<u32>(colIdx + e) * bytes;
      s0 = f32x4.add(s0, v128.load(from));
      s1 = f32x4.add(s1, v128.load(from, 16));
    }
  }
  v128.store(out, s0);
  storeColumns(out + 16, s1, left - 16);
}

/** `start` plus the sum of one to four columns, with four running sums: a single one would wait for each addition. */
function slab4(start: v128, colIdx: usize, values: usize, x: usize, bytes: usize, size: usize): v128 {
  let s0 = start;
  let s1 = f32x4.splat(0);
  let s2 = s1;
  let s3 = s1;
  let e: usize = 0;
  for (; e + 16 <= size; e += 16) {
    const x0 = v128.load(x + <usize>load<u32>(colIdx + e) * bytes);
    const x1 = v128.load(x + <usize>load<u32>(colIdx + e, 4) * bytes);
    const x2 = v128.load(x + <usize>load<u32>(colIdx + e, 8) * bytes);
    const x3 = v128.load(x + <usize>load<u32>(colIdx + e, 12) * bytes);
    s0 = values ? madd(v128.load32_splat(values + e), x0, s0) : f32x4.add(s0, x0);
    s1 = values ? madd(v128.load32_splat(values + e, 4), x1, s1) : f32x4.add(s1, x1);
    s2 = values ? madd(v128.load32_splat(values + e, 8), x2, s2) : f32x4.add(s2, x2);
    s3 = values ? madd(v128.load32_splat(values + e, 12), x3, s3) : f32x4.add(s3, x3);
  }
  for (; e < size; e += 4) {
    const x0 = v128.load(x + <usize>load<u32>(colIdx + e) * bytes);
    s0 = values ? madd(v128.load32_splat(values + e), x0, s0) : f32x4.add(s0, x0);
  }
  return f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3));
}

/** Stores the lanes that lie within the next `left` bytes. */
function storeColumns(out: usize, lanes: v128, left: usize): void {
  if (left >= 16) {
    v128.store(out, lanes);
    return;
  }
  v128.store_lane<f32>(out, lanes, 0);
  if (left > 4) v128.store_lane<f32>(out, lanes, 1, 4);
  if (left > 8) v128.store_lane<f32>(out, lanes, 2, 8);
}

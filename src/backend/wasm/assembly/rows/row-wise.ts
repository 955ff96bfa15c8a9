// Kernels over rows begin … end − 1 of a [rows, cols] matrix: vectors, then the last cols mod 4 entries one by one.
import { madd } from "../shared/fma";
import { dotRow, sumRow } from "../shared/vector";

export function scaleRows(begin: i32, end: i32, out: usize, x: usize, scale: usize, cols: i32, accumulate: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const s = load<f32>(scale + ((<usize>i) << 2));
    const s4 = f32x4.splat(s);
    let at = <usize>i * bytes;
    const last = at + bytes;
    if (accumulate) {
      for (; at + 16 <= last; at += 16) v128.store(out + at, madd(s4, v128.load(x + at), v128.load(out + at)));
      for (; at < last; at += 4) store<f32>(out + at, s * load<f32>(x + at) + load<f32>(out + at));
    } else {
      for (; at + 16 <= last; at += 16) v128.store(out + at, f32x4.mul(s4, v128.load(x + at)));
      for (; at < last; at += 4) store<f32>(out + at, s * load<f32>(x + at));
    }
  }
}

/** out_ic = scale_c · X_ic + shift_c; an address of 0 means the factor is 1 or the shift 0. */
export function affineCols(begin: i32, end: i32, out: usize, x: usize, scale: usize, shift: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    let c: usize = 0;
    for (; c + 16 <= bytes; c += 16) {
      let y = v128.load(x + row + c);
      if (scale) y = f32x4.mul(y, v128.load(scale + c));
      if (shift) y = f32x4.add(y, v128.load(shift + c));
      v128.store(out + row + c, y);
    }
    for (; c < bytes; c += 4) {
      let y = load<f32>(x + row + c);
      if (scale) y *= load<f32>(scale + c);
      if (shift) y += load<f32>(shift + c);
      store<f32>(out + row + c, y);
    }
  }
}

/** out_i = ⟨A_i, B_i⟩, or the sum of row i where B is 0. */
export function rowDots(begin: i32, end: i32, out: usize, a: usize, b: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    store<f32>(out + ((<usize>i) << 2), b ? dotRow(a + row, b + row, bytes) : sumRow(a + row, bytes));
  }
}

/** out_i = first column with the largest entry of row i, passing over column exclude_i where exclude is not 0. */
export function argmaxRows(begin: i32, end: i32, out: usize, x: usize, cols: i32, exclude: usize): void {
  for (let i = begin; i < end; i++) {
    const row = x + ((<usize>i * <usize>cols) << 2);
    const skip = exclude ? load<i32>(exclude + ((<usize>i) << 2)) : -1;
    let best = -1;
    let top: f32 = 0;
    for (let c = 0; c < cols; c++) {
      const value = load<f32>(row + ((<usize>c) << 2));
      if (c !== skip && (best < 0 || value > top)) {
        best = c;
        top = value;
      }
    }
    store<i32>(out + ((<usize>i) << 2), best);
  }
}

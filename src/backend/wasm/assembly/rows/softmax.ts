// Softmax over rows begin … end − 1, shifted by the row's maximum so that nothing overflows.
import { madd } from "../shared/fma";
import { exp1, exp4, log1 } from "../shared/math";
import { dotRow, max4, sumRow } from "../shared/vector";

export function softmaxRows(begin: i32, end: i32, out: usize, x: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) softmax(out + <usize>i * bytes, x + <usize>i * bytes, bytes);
}

/** One softmax over `bytes / 4` floats. */
export function softmax(out: usize, x: usize, bytes: usize): void {
  exponentials(out, x, bytes, maximum(x, bytes));
  scale(out, <f32>1 / sumRow(out, bytes), bytes);
}

export function softmaxRowsGrad(begin: i32, end: i32, dx: usize, dy: usize, y: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    softmaxGrad(dx + row, dy + row, y + row, bytes);
  }
}

/** dx = y ∘ (dy − ⟨dy, y⟩). */
export function softmaxGrad(dx: usize, dy: usize, y: usize, bytes: usize): void {
  const inner = dotRow(dy, y, bytes);
  const inner4 = f32x4.splat(inner);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    v128.store(dx + at, f32x4.mul(v128.load(y + at), f32x4.sub(v128.load(dy + at), inner4)));
  }
  for (; at < bytes; at += 4) store<f32>(dx + at, load<f32>(y + at) * (load<f32>(dy + at) - inner));
}

export function logSoftmaxRows(begin: i32, end: i32, out: usize, x: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const from = x + <usize>i * bytes;
    const to = out + <usize>i * bytes;
    const top = maximum(from, bytes);
    const shift = log1(sumOfExponentials(from, bytes, top));
    const top4 = f32x4.splat(top);
    const shift4 = f32x4.splat(shift);
    let at: usize = 0;
    for (; at + 16 <= bytes; at += 16) v128.store(to + at, f32x4.sub(f32x4.sub(v128.load(from + at), top4), shift4));
    for (; at < bytes; at += 4) store<f32>(to + at, load<f32>(from + at) - top - shift);
  }
}

/** dX_i = dY_i − exp(Y_i)·Σ_c dY_ic. */
export function logSoftmaxRowsGrad(begin: i32, end: i32, dx: usize, dy: usize, y: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    const sum = -sumRow(dy + row, bytes);
    const sum4 = f32x4.splat(sum);
    let at = row;
    const last = row + bytes;
    for (; at + 16 <= last; at += 16) v128.store(dx + at, madd(exp4(v128.load(y + at)), sum4, v128.load(dy + at)));
    for (; at < last; at += 4) store<f32>(dx + at, exp1(load<f32>(y + at)) * sum + load<f32>(dy + at));
  }
}

function maximum(x: usize, bytes: usize): f32 {
  let top = -f32.MAX_VALUE;
  let at: usize = 0;
  if (bytes >= 16) {
    let top4 = v128.load(x);
    for (at = 16; at + 16 <= bytes; at += 16) top4 = f32x4.max(top4, v128.load(x + at));
    top = max4(top4);
  }
  for (; at < bytes; at += 4) top = max(top, load<f32>(x + at));
  return top;
}

function exponentials(out: usize, x: usize, bytes: usize, top: f32): void {
  const top4 = f32x4.splat(top);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(out + at, exp4(f32x4.sub(v128.load(x + at), top4)));
  for (; at < bytes; at += 4) store<f32>(out + at, exp1(load<f32>(x + at) - top));
}

function sumOfExponentials(x: usize, bytes: usize, top: f32): f32 {
  const top4 = f32x4.splat(top);
  let sum: f32 = 0;
  let sums = f32x4.splat(0);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) sums = f32x4.add(sums, exp4(f32x4.sub(v128.load(x + at), top4)));
  for (; at < bytes; at += 4) sum += exp1(load<f32>(x + at) - top);
  return (
    sum +
    (f32x4.extract_lane(sums, 0) +
      f32x4.extract_lane(sums, 1) +
      (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3)))
  );
}

function scale(x: usize, factor: f32, bytes: usize): void {
  const factor4 = f32x4.splat(factor);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(x + at, f32x4.mul(v128.load(x + at), factor4));
  for (; at < bytes; at += 4) store<f32>(x + at, load<f32>(x + at) * factor);
}

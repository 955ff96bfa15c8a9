// Batch normalisation of the columns of a [rows, cols] matrix. Chunks of rows write two sums per column side by side, each
// in half of the `stride` bytes of a chunk; the caller adds the chunks in order (rule R1).
import { madd } from "../shared/fma";

/** Mean and Σ (x − mean)² of each column over rows of chunks begin … end − 1; a cache keeps them for pass two. */
export function momentChunks(
  begin: i32,
  end: i32,
  partial: usize,
  stride: usize,
  x: usize,
  rows: i32,
  cols: i32,
  chunkRows: i32,
): void {
  const bytes = (<usize>cols) << 2;
  const half = stride >> 1;
  for (let chunk = begin; chunk < end; chunk++) {
    const mean = partial + <usize>chunk * stride;
    const squares = mean + half;
    for (let at: usize = 0; at < stride; at += 16) v128.store(mean + at, f32x4.splat(0));
    const first = x + <usize>(chunk * chunkRows) * bytes;
    const last = x + <usize>min(rows, (chunk + 1) * chunkRows) * bytes;
    for (let row = first; row < last; row += bytes) {
      let at: usize = 0;
      for (; at + 16 <= bytes; at += 16) v128.store(mean + at, f32x4.add(v128.load(row + at), v128.load(mean + at)));
      for (; at < bytes; at += 4) store<f32>(mean + at, load<f32>(mean + at) + load<f32>(row + at));
    }
    const count = f32x4.splat(<f32>(min(rows, (chunk + 1) * chunkRows) - chunk * chunkRows));
    for (let at: usize = 0; at < half; at += 16) v128.store(mean + at, f32x4.div(v128.load(mean + at), count));
    for (let row = first; row < last; row += bytes) {
      let at: usize = 0;
      for (; at + 16 <= bytes; at += 16) {
        const d = f32x4.sub(v128.load(row + at), v128.load(mean + at));
        v128.store(squares + at, madd(d, d, v128.load(squares + at)));
      }
      for (; at < bytes; at += 4) {
        const d = load<f32>(row + at) - load<f32>(mean + at);
        store<f32>(squares + at, load<f32>(squares + at) + d * d);
      }
    }
  }
}

/** Mean and variance of columns begin … end − 1 from those of the chunks: Σ (x − mean)² = Σ_c squares_c + n_c (mean_c − mean)². */
export function sumMoments(
  begin: i32,
  end: i32,
  mean: usize,
  variance: usize,
  partial: usize,
  stride: usize,
  chunks: i32,
  rows: i32,
  chunkRows: i32,
): void {
  for (let j = begin; j < end; j++) {
    const first = partial + ((<usize>j) << 2);
    let total: f64 = 0;
    for (let c = 0; c < chunks; c++) {
      total += <f64>min(chunkRows, rows - c * chunkRows) * <f64>load<f32>(first + <usize>c * stride);
    }
    const centre = total / <f64>max(rows, 1);
    let squares: f64 = 0;
    for (let c = 0; c < chunks; c++) {
      const at = first + <usize>c * stride;
      const d = <f64>load<f32>(at) - centre;
      squares += <f64>load<f32>(at + (stride >> 1)) + <f64>min(chunkRows, rows - c * chunkRows) * d * d;
    }
    store<f32>(mean + ((<usize>j) << 2), <f32>centre);
    store<f32>(variance + ((<usize>j) << 2), <f32>(squares / <f64>max(rows, 1)));
  }
}

/** out = scale ∘ (x − mean) + shift, rows begin … end − 1. */
export function normaliseRows(
  begin: i32,
  end: i32,
  out: usize,
  x: usize,
  mean: usize,
  scale: usize,
  shift: usize,
  cols: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    let c: usize = 0;
    for (; c + 16 <= bytes; c += 16) {
      const d = f32x4.sub(v128.load(x + row + c), v128.load(mean + c));
      v128.store(out + row + c, madd(v128.load(scale + c), d, v128.load(shift + c)));
    }
    for (; c < bytes; c += 4) {
      const d = load<f32>(x + row + c) - load<f32>(mean + c);
      store<f32>(out + row + c, load<f32>(scale + c) * d + load<f32>(shift + c));
    }
  }
}

/** Σ dY and Σ dY ∘ (x − mean) of each column over the rows of chunks begin … end − 1. */
export function centredDotChunks(
  begin: i32,
  end: i32,
  partial: usize,
  stride: usize,
  dy: usize,
  x: usize,
  mean: usize,
  rows: i32,
  cols: i32,
  chunkRows: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let chunk = begin; chunk < end; chunk++) {
    const sums = partial + <usize>chunk * stride;
    const dots = sums + (stride >> 1);
    for (let at: usize = 0; at < stride; at += 16) v128.store(sums + at, f32x4.splat(0));
    const last = min(rows, (chunk + 1) * chunkRows);
    for (let i = chunk * chunkRows; i < last; i++) {
      const row = <usize>i * bytes;
      let c: usize = 0;
      for (; c + 16 <= bytes; c += 16) {
        const g = v128.load(dy + row + c);
        v128.store(sums + c, f32x4.add(g, v128.load(sums + c)));
        const d = f32x4.sub(v128.load(x + row + c), v128.load(mean + c));
        v128.store(dots + c, madd(g, d, v128.load(dots + c)));
      }
      for (; c < bytes; c += 4) {
        const g = load<f32>(dy + row + c);
        store<f32>(sums + c, load<f32>(sums + c) + g);
        store<f32>(dots + c, load<f32>(dots + c) + g * (load<f32>(x + row + c) - load<f32>(mean + c)));
      }
    }
  }
}

/** dX = scale ∘ dY + slope ∘ (x − mean) + shift, rows begin … end − 1. */
export function normaliseGradRows(
  begin: i32,
  end: i32,
  dx: usize,
  dy: usize,
  x: usize,
  mean: usize,
  scale: usize,
  slope: usize,
  shift: usize,
  cols: i32,
): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    let c: usize = 0;
    for (; c + 16 <= bytes; c += 16) {
      const d = f32x4.sub(v128.load(x + row + c), v128.load(mean + c));
      const rest = madd(v128.load(slope + c), d, v128.load(shift + c));
      v128.store(dx + row + c, madd(v128.load(scale + c), v128.load(dy + row + c), rest));
    }
    for (; c < bytes; c += 4) {
      const d = load<f32>(x + row + c) - load<f32>(mean + c);
      const rest = load<f32>(slope + c) * d + load<f32>(shift + c);
      store<f32>(dx + row + c, load<f32>(scale + c) * load<f32>(dy + row + c) + rest);
    }
  }
}

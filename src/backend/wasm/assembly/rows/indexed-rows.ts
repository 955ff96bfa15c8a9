// Rows and entries chosen by an index per row.

/** out_t = X_{index_t} for t in begin … end − 1. */
export function gatherRows(begin: i32, end: i32, out: usize, x: usize, index: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let t = begin; t < end; t++) {
    const from = x + <usize>load<u32>(index + ((<usize>t) << 2)) * bytes;
    const to = out + <usize>t * bytes;
    let at: usize = 0;
    for (; at + 16 <= bytes; at += 16) v128.store(to + at, v128.load(from + at));
    for (; at < bytes; at += 4) store<f32>(to + at, load<f32>(from + at));
  }
}

/** out_{index_t} += X_t for all t in order, in columns begin … end − 1: threads split columns, as rows may repeat. */
export function scatterAddRows(begin: i32, end: i32, out: usize, x: usize, index: usize, count: i32, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  const first = (<usize>begin) << 2;
  const last = (<usize>end) << 2;
  for (let t = 0; t < count; t++) {
    const to = out + <usize>load<u32>(index + ((<usize>t) << 2)) * bytes;
    const from = x + <usize>t * bytes;
    let at = first;
    for (; at + 16 <= last; at += 16) v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)));
    for (; at < last; at += 4) store<f32>(to + at, load<f32>(to + at) + load<f32>(from + at));
  }
}

/** Writes 0 … count − 1 in order of their index, and where each index begins: histogram, prefix sum, scatter. */
export function groupIndices(rowPtr: usize, order: usize, index: usize, count: i32, rows: i32): void {
  memory.fill(rowPtr, 0, (<usize>(rows + 1)) << 2);
  for (let t = 0; t < count; t++) {
    const at = rowPtr + ((<usize>load<u32>(index + ((<usize>t) << 2))) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  // While scattering, rowPtr[i + 1] is the next free place of row i. At the end it is where row i + 1 begins.
  let place: u32 = 0;
  let before: u32 = 0;
  for (let at: usize = 0; at <= (<usize>rows) << 2; at += 4) {
    const length = load<u32>(rowPtr + at);
    store<u32>(rowPtr + at, place);
    place += before;
    before = length;
  }
  for (let t = 0; t < count; t++) {
    const end = rowPtr + ((<usize>load<u32>(index + ((<usize>t) << 2))) << 2);
    const next = load<u32>(end, 4);
    store<u32>(end, next + 1, 4);
    store<i32>(order + ((<usize>next) << 2), t);
  }
}

/** out_t = X_{t, column_t}. */
export function pick(begin: i32, end: i32, out: usize, x: usize, column: usize, cols: i32): void {
  for (let t = begin; t < end; t++) {
    const at = (<usize>t) << 2;
    store<f32>(out + at, load<f32>(x + ((<usize>t * <usize>cols + load<u32>(column + at)) << 2)));
  }
}

/** out_{t, column_t} += x_t. */
export function pickGrad(begin: i32, end: i32, out: usize, x: usize, column: usize, cols: i32): void {
  for (let t = begin; t < end; t++) {
    const at = (<usize>t) << 2;
    const to = out + ((<usize>t * <usize>cols + load<u32>(column + at)) << 2);
    store<f32>(to, load<f32>(to) + load<f32>(x + at));
  }
}

/** Marks in `bad`, one i32 per fixed chunk of 4096 indices, the first position whose index is not in 0 … bound − 1, or −1. */
export function checkIndices(begin: i32, end: i32, bad: usize, index: usize, count: i32, bound: u32): void {
  for (let chunk = begin; chunk < end; chunk++) {
    const last = min(count, (chunk + 1) * 4096);
    let wrong = -1;
    for (let t = chunk * 4096; t < last; t++) {
      if (load<u32>(index + ((<usize>t) << 2)) >= bound) {
        wrong = t;
        break;
      }
    }
    store<i32>(bad + ((<usize>chunk) << 2), wrong);
  }
}

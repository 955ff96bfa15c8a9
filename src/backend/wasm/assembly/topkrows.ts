import { finish, offer } from "./largest";

/** Columns (ascending) and values of the k largest entries of rows begin … end − 1. */
export function topKRows(begin: i32, end: i32, columns: usize, values: usize, x: usize, cols: i32, k: i32): void {
  for (let i = begin; i < end; i++) {
    const row = x + ((<usize>i * <usize>cols) << 2);
    const at = (<usize>i * <usize>k) << 2;
    let c = 0;
    for (; c < k; c++) offer(columns + at, c, k, row, c);
    if (k > 0) offerAbove(columns + at, k, row, c, cols);
    finish(columns + at, values + at, k, row);
  }
}

/** Offers columns c … cols − 1 to a full heap; most are below its weakest entry and are passed over four at a time. */
function offerAbove(heap: usize, k: i32, row: usize, c: i32, cols: i32): void {
  let least = load<f32>(row + ((<usize>load<u32>(heap)) << 2));
  while (c < cols) {
    if (c + 4 <= cols && !v128.any_true(f32x4.gt(v128.load(row + ((<usize>c) << 2)), f32x4.splat(least)))) {
      c += 4;
      continue;
    }
    for (const stop = min(cols, c + 4); c < stop; c++) {
      if (load<f32>(row + ((<usize>c) << 2)) <= least) continue; // on ties the earlier column stays
      offer(heap, k, k, row, c);
      least = load<f32>(row + ((<usize>load<u32>(heap)) << 2));
    }
  }
}

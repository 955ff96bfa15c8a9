import { finish, offer } from "./largest";

/** Columns (ascending) and values of the k largest entries of rows begin … end − 1. */
export function topKRows(begin: i32, end: i32, columns: usize, values: usize, x: usize, cols: i32, k: i32): void {
  for (let i = begin; i < end; i++) {
    const row = x + ((<usize>i * <usize>cols) << 2);
    const at = (<usize>i * <usize>k) << 2;
    let count = 0;
    for (let c = 0; c < cols; c++) count = offer(columns + at, count, k, row, c);
    finish(columns + at, values + at, count, row);
  }
}

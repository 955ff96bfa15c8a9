// A sparse product with a vector, for the entries of a panel matrix that lie in a trailing part of it.
import { PANEL_ROW, panelEntry } from "../sparse/panel";

/** product_i = Σ value · vector over the entries split_i … rowPtr_{i+1} − 1 of row i, rows begin … end − 1. */
export function trailingProduct(
  begin: i32,
  end: i32,
  product: usize,
  vector: usize,
  rowPtr: usize,
  split: usize,
  entries: usize,
): void {
  for (let i = begin; i < end; i++) {
    const last = panelEntry(entries, rowPtr, i + 1);
    let sum: f32 = 0;
    for (let entry = panelEntry(entries, split, i); entry < last; entry += 8) {
      sum += load<f32>(entry, 4) * load<f32>(vector + <usize>load<u32>(entry) / (PANEL_ROW / 4));
    }
    store<f32>(product + ((<usize>i) << 2), sum);
  }
}

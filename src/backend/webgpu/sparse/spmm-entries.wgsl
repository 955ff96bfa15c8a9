// The entries of one sparse matrix S in CSR, and out = S·X, added to out where ACCUMULATE is 1. X may be in two windows, the
// second from row `split` on.
struct Params { rows: u32, cols: u32, rowGroups: u32, split: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> entryValues: array<f32>;
@group(0) @binding(5) var<storage, read> X: array<T>;
@group(0) @binding(6) var<storage, read> rest: array<T>;

struct Entries { first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let first = rowPtr[row];
  return Entries(first, rowPtr[row + 1u] - first);
}

fn columnOf(row: Entries, e: u32) -> u32 { return colIdx[row.first + e]; }

fn weightOf(row: Entries, e: u32, j: u32) -> f32 {
  if (VALUED == 1u) { return entryValues[row.first + e]; }
  return 1.0;
}

fn gathered(j: u32, c: u32) -> T {
  if (WINDOWS == 2u && j >= params.split) { return rest[(j - params.split) * params.cols + c]; }
  return X[j * params.cols + c];
}

fn termOf(row: Entries, e: u32, j: u32, c: u32) -> T { return weightOf(row, e, j) * gathered(j, c); }

fn startOf(row: u32, c: u32) -> T {
  if (ACCUMULATE == 1u) { return out[row * params.cols + c]; }
  return T(0.0);
}

fn factorOf(row: u32) -> f32 { return 1.0; }

fn store(row: u32, c: u32, total: T) -> f32 {
  out[row * params.cols + c] = total;
  return 0.0;
}

fn close(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}

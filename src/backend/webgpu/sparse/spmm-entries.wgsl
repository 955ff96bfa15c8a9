// For spmm.wgsl: the entries of one sparse matrix S in CSR, and out = S·X, added to out where ACCUMULATE is 1.
// uses: entry-weight
// requires: gathered(j, c, weight)
// constants: T, ACCUMULATE
// params: cols u32
// writes: out T
// reads: rowPtr u32, colIdx u32

struct Entries { first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let first = rowPtr[row];
  return Entries(first, rowPtr[row + 1u] - first);
}

fn columnOf(row: Entries, e: u32) -> u32 { return colIdx[row.first + e]; }

fn termOf(row: Entries, e: u32, j: u32, c: u32) -> T { return gathered(j, c, weightOf(row.first + e)); }

fn startOf(row: u32, c: u32) -> T {
  if (ACCUMULATE == 1u) { return out[row * params.cols + c]; }
  return T();
}

fn factorOf(row: u32) -> f32 { return 1.0; }

fn store(row: u32, c: u32, total: T) -> f32 {
  out[row * params.cols + c] = total;
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}

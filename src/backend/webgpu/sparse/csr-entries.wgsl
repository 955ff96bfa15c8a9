// For spmm.wgsl: the entries of one sparse matrix in CSR, each times the row of X that it names.
// uses: entry-weight
// requires: gathered(j, c, weight)
// constants: T
// reads: rowPtr u32, colIdx u32

struct Entries { first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let first = rowPtr[row];
  return Entries(first, rowPtr[row + 1u] - first);
}

fn columnOf(row: Entries, e: u32) -> u32 { return colIdx[row.first + e]; }

fn termOf(row: Entries, e: u32, j: u32, c: u32) -> T { return gathered(j, c, weightOf(row.first + e)); }

// For spmm.wgsl: the entries of A + B as merge-edges.wgsl wrote them, already multiplied by the right factors: one read
// per entry instead of three. Otherwise the same as convolve-entries.wgsl where RIGHT is 1.
// uses: left-scale
// requires: gathered(j, c, weight), nodeOf(row), pointerOf(row)
// constants: T
// reads: rowPtr u32, merged vec2u, pairPtr u32, scale f32

struct Entries { first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let at = pointerOf(row);
  let first = rowPtr[at] + pairPtr[at];
  return Entries(first, rowPtr[at + 1u] + pairPtr[at + 1u] - first);
}

// Column and weight.
fn columnOf(row: Entries, e: u32) -> vec2u { return merged[row.first + e]; }

fn termOf(row: Entries, e: u32, entry: vec2u, c: u32) -> T { return gathered(entry.x, c, bitcast<f32>(entry.y)); }

// The term of I: the node's own row of X.
fn startOf(row: u32, c: u32) -> T {
  let i = nodeOf(row);
  return gathered(i, c, scale[i]);
}

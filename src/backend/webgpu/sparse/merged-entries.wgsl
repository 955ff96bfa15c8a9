// For spmm.wgsl: the entries of A + B that merge-edges.wgsl has put side by side, with the right factors in them: one read per
// entry instead of three. Otherwise as convolve-entries.wgsl with RIGHT being 1.
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

// The node's own row.
fn startOf(row: u32, c: u32) -> T {
  let i = nodeOf(row);
  return gathered(i, c, scale[i]);
}

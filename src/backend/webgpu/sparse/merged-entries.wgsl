// The entries of A + B that merge-edges.wgsl has put side by side, with the right factors in them: one read per entry instead of
// three. Otherwise as convolve-entries.wgsl with RIGHT being 1; pairIdx and pairValues keep their places among the bindings.
struct Params { rows: u32, cols: u32, rowGroups: u32, split: u32, offset: u32, finish: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> merged: array<vec2u>;
@group(0) @binding(4) var<storage, read> pairPtr: array<u32>;
@group(0) @binding(5) var<storage, read> pairIdx: array<u32>;
@group(0) @binding(6) var<storage, read> pairValues: array<f32>;
@group(0) @binding(7) var<storage, read> X: array<T>;
@group(0) @binding(8) var<storage, read> scale: array<f32>;

struct Entries { first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let at = pointerOf(row);
  let first = rowPtr[at] + pairPtr[at];
  return Entries(first, rowPtr[at + 1u] + pairPtr[at + 1u] - first);
}

// Column and weight.
fn columnOf(row: Entries, e: u32) -> vec2u { return merged[row.first + e]; }

fn termOf(row: Entries, e: u32, entry: vec2u, c: u32) -> T { return bitcast<f32>(entry.y) * gathered(entry.x, c); }

// The node's own row.
fn startOf(row: u32, c: u32) -> T {
  let i = nodeOf(row);
  return scale[i] * gathered(i, c);
}

fn factorOf(row: u32) -> f32 {
  if (LEFT == 1u) { return scale[nodeOf(row)]; }
  return 1.0;
}

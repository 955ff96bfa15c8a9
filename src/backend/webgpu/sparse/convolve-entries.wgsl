// The entries of A, all of them 1, and of B where HAS_PAIRS is 1, for L·(A + B + I)·R·X with L and R the diagonal matrices of
// `scale` where LEFT and RIGHT are 1. Which node a row is for (nodeOf), where its pointers are (pointerOf) and what becomes of it
// is in convolve-all-rows.wgsl, convolve-chosen-rows.wgsl or convolve-row-dots.wgsl.
struct Params { rows: u32, cols: u32, rowGroups: u32, split: u32, offset: u32, finish: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> pairPtr: array<u32>;
@group(0) @binding(5) var<storage, read> pairIdx: array<u32>;
@group(0) @binding(6) var<storage, read> pairValues: array<f32>;
@group(0) @binding(7) var<storage, read> X: array<T>;
@group(0) @binding(8) var<storage, read> scale: array<f32>;

// The entries of A in a row, from `first` on, then those of B, from `firstPair` on.
struct Entries { first: u32, numEdges: u32, firstPair: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let at = pointerOf(row);
  let first = rowPtr[at];
  let numEdges = rowPtr[at + 1u] - first;
  if (HAS_PAIRS == 0u) { return Entries(first, numEdges, 0u, numEdges); }
  let firstPair = pairPtr[at];
  return Entries(first, numEdges, firstPair, numEdges + pairPtr[at + 1u] - firstPair);
}

fn columnOf(row: Entries, e: u32) -> u32 {
  if (HAS_PAIRS == 1u && e >= row.numEdges) { return pairIdx[row.firstPair + e - row.numEdges]; }
  return colIdx[row.first + e];
}

fn weightOf(row: Entries, e: u32, j: u32) -> f32 {
  var weight = 1.0;
  if (HAS_PAIRS == 1u && e >= row.numEdges) { weight = pairValues[row.firstPair + e - row.numEdges]; }
  if (RIGHT == 1u) { weight *= scale[j]; }
  return weight;
}

fn termOf(row: Entries, e: u32, j: u32, c: u32) -> T { return weightOf(row, e, j) * gathered(j, c); }

// The node's own row.
fn startOf(row: u32, c: u32) -> T {
  let i = nodeOf(row);
  var own = gathered(i, c);
  if (RIGHT == 1u) { own *= scale[i]; }
  return own;
}

fn factorOf(row: u32) -> f32 {
  if (LEFT == 1u) { return scale[nodeOf(row)]; }
  return 1.0;
}

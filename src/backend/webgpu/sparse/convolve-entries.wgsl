// For spmm.wgsl: the entries of L·(A + B + I)·R, which is multiplied by X. Entries of A are all 1; B takes part where
// HAS_PAIRS is 1. L and R are the diagonal matrix of `scale` where LEFT and RIGHT are 1, else I. One other file says
// which node a row is for (nodeOf) and where its pointers are (pointerOf), for all rows or chosen ones; another how
// rows of X are read (gathered).
// uses: left-scale
// requires: gathered(j, c, weight), nodeOf(row), pointerOf(row)
// constants: T, HAS_PAIRS, RIGHT
// reads: rowPtr u32, colIdx u32, pairPtr u32, pairIdx u32, pairValues f32, scale f32

// A row: first the entries of A, from `first` on, then those of B, from `firstPair` on.
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

fn scaledWeight(row: Entries, e: u32, j: u32) -> f32 {
  var weight = 1.0;
  if (HAS_PAIRS == 1u && e >= row.numEdges) { weight = pairValues[row.firstPair + e - row.numEdges]; }
  if (RIGHT == 1u) { weight *= scale[j]; }
  return weight;
}

fn termOf(row: Entries, e: u32, j: u32, c: u32) -> T { return gathered(j, c, scaledWeight(row, e, j)); }

// The term of I: the node's own row of X.
fn startOf(row: u32, c: u32) -> T {
  let i = nodeOf(row);
  if (RIGHT == 1u) { return gathered(i, c, scale[i]); }
  return gathered(i, c, 1.0);
}

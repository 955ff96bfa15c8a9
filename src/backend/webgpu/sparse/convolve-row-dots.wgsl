// For spmm.wgsl: the rows Y of a convolution as they are, stored where STORED is 1, and dots = Σ_c Y_ic · other_ic over each panel of
// columns, one vector of `numNodes` per panel.
// requires: sumLanes(x, local), inner(a, b), nodeOf(row)
// constants: T, LANES, STORED
// params: cols u32, numNodes u32
// writes: out T, dots f32
// reads: other T

fn store(row: u32, c: u32, y: T) -> f32 {
  let e = row * params.cols + c;
  if (STORED == 1u) { out[e] = y; }
  return inner(y, other[e]);
}

// All threads call this together; `share` is what this one has of the row's inner product.
fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {
  let sum = sumLanes(share, local);
  if (isDone && local % LANES == 0u) { dots[panel * params.numNodes + nodeOf(row)] = sum; }
}

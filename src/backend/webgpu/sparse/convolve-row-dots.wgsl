// For spmm.wgsl: the rows Y of a convolution without bias or relu, stored where STORED is 1, and dots_i = Σ_c Y_ic ·
// given_ic for each panel of columns: one vector of `numNodes` numbers per panel.
// requires: sumLanes(x, local), inner(a, b), nodeOf(row), put(row, c, y), givenAt(row, c)
// constants: T, LANES, STORED
// params: numNodes u32
// writes: dots f32

fn store(row: u32, c: u32, y: T) -> f32 {
  if (STORED == 1u) { put(row, c, y); }
  return inner(y, givenAt(row, c));
}

// All threads call this together; `share` is this thread's part of the row's inner product.
fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {
  let sum = sumLanes(share, local);
  if (isDone && local % LANES == 0u) { dots[panel * params.numNodes + nodeOf(row)] = sum; }
}

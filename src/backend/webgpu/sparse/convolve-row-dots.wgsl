// For convolve-entries.wgsl: the rows Y of a convolution as they are, stored where STORED is 1, and dots = Σ_c Y_ic · other_ic
// over each panel of columns, one vector per panel. All rows are in one launch.
// uses: gather-whole
// requires: sumLanes(x, local), total(x)
// constants: T, LANES, STORED
// params: rows u32, cols u32
// writes: out T, dots f32
// reads: other T

fn nodeOf(row: u32) -> u32 { return row; }
fn pointerOf(row: u32) -> u32 { return row; }

fn store(row: u32, c: u32, y: T) -> f32 {
  let e = row * params.cols + c;
  if (STORED == 1u) { out[e] = y; }
  return total(y * other[e]);
}

// All threads call this together; `share` is what this one has of the row's inner product.
fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {
  let sum = sumLanes(share, local);
  if (isDone && local % LANES == 0u) { dots[panel * params.rows + row] = sum; }
}

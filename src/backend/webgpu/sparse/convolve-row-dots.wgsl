// The rows Y of a convolution as they are, stored where STORED is 1, and dots = Σ_c Y_ic · other_ic over each panel of columns,
// one vector per panel. All rows are in one launch.
@group(0) @binding(9) var<storage, read> other: array<T>;
@group(0) @binding(10) var<storage, read_write> dots: array<f32>;

fn nodeOf(row: u32) -> u32 { return row; }
fn pointerOf(row: u32) -> u32 { return row; }

fn gathered(j: u32, c: u32) -> T { return X[j * params.cols + c]; }

fn store(row: u32, c: u32, y: T) -> f32 {
  let e = row * params.cols + c;
  if (STORED == 1u) { out[e] = y; }
  return total(y * other[e]);
}

// All threads call this together; `share` is what this one has of the row's inner product.
fn close(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {
  let sum = sumLanes(share, local);
  if (isDone && local % LANES == 0u) { dots[panel * params.rows + row] = sum; }
}

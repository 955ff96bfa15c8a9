// dX_tc = x_t at column_t, −x_t at rival_t, else 0. Where TANH is 1, d_0 · factor · (1 − x_t²) takes the place of x_t.
// uses: threads
// constants: TANH
// params: rows u32, cols u32, factor f32
// writes: dX f32
// reads: x f32, column u32, rivals u32, d f32

fn slopeOf(row: u32) -> f32 {
  if (TANH == 1u) { return d[0] * params.factor * (1.0 - x[row] * x[row]); }
  return x[row];
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.rows * params.cols) { return; }
  let row = e / params.cols;
  let c = e % params.cols;
  var y = 0.0;
  if (c == column[row]) { y = slopeOf(row); } else if (c == rivals[row]) { y = -slopeOf(row); }
  dX[e] = y;
}

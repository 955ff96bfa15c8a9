// For spmm.wgsl: out = finish(Y) of the rows Y of a convolution.
// uses: finish-flags
// requires: positive(x)
// constants: T
// params: cols u32, finish u32
// writes: out T
// reads: bias T

fn store(row: u32, c: u32, total: T) -> f32 {
  var y = total;
  if ((params.finish & BIASED) != 0u) { y += bias[c]; }
  if ((params.finish & RELU) != 0u) { y = positive(y); }
  out[row * params.cols + c] = y;
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}

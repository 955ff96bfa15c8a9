// For spmm.wgsl: out = finish(Y) of the rows Y of a convolution; `given` is the bias.
// uses: finish-flags
// requires: positive(x), put(row, c, y), givenAt(row, c)
// constants: T
// params: finish u32

fn store(row: u32, c: u32, total: T) -> f32 {
  var y = total;
  if ((params.finish & BIASED) != 0u) { y += givenAt(0u, c); }
  if ((params.finish & RELU) != 0u) { y = positive(y); }
  put(row, c, y);
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}

// Stores the results of matmul-halves.wgsl, finished.
// uses: finish-flags
// params: n u32, finish u32
// writes: out vec4f
// reads: bias vec4f

fn finishFour(row: u32, col: u32, sum: vec4f) -> f32 {
  let at = (row * params.n + col) / 4u;
  var x = sum;
  if ((params.finish & ADDED) != 0u) { x += out[at]; }
  if ((params.finish & BIASED) != 0u) { x += bias[col / 4u]; }
  if ((params.finish & RELU) != 0u) { x = max(x, vec4f(0.0)); }
  out[at] = x;
  return 0.0;
}

fn keepShare(y: u32, slot: u32, share: f32) {}
fn finishRows(top: u32, local: u32) {}

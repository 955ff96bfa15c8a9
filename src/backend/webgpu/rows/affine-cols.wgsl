// out_ic = scale_c · X_ic + shift_c; HAS_SCALE and HAS_SHIFT say which there are. T is f32 or vec4f; cols counts in T.
// uses: threads
// constants: T, HAS_SCALE, HAS_SHIFT
// params: rows u32, cols u32
// writes: out T
// reads: X T, scale T, shift T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.rows * params.cols) { return; }
  let c = e % params.cols;
  var y = X[e];
  if (HAS_SCALE == 1u) { y *= scale[c]; }
  if (HAS_SHIFT == 1u) { y += shift[c]; }
  out[e] = y;
}

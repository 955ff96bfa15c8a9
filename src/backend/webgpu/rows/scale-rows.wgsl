// out_ic = scale_i · X_ic, added to out where ACCUMULATE is 1. T is f32 or vec4f; cols counts in T.
// uses: threads
// constants: T, ACCUMULATE
// params: rows u32, cols u32
// writes: out T
// reads: X T, scale f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.rows * params.cols) { return; }
  var y = scale[e / params.cols] * X[e];
  if (ACCUMULATE == 1u) { y += out[e]; }
  out[e] = y;
}

// out = a·A + b·B + c, or a·A + c where HAS_B is 0. T is f32 or vec4f.
// uses: threads
// constants: T, HAS_B
// params: length u32, a f32, b f32, c f32
// writes: out T
// reads: A T, B T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  var y = params.a * A[e] + T(params.c);
  if (HAS_B == 1u) { y += params.b * B[e]; }
  out[e] = y;
}

// out = the same bits everywhere, floats or integers. T is u32 or vec4u.
// uses: threads
// constants: T
// params: length u32, bits u32
// writes: out T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.length) { out[e] = T(params.bits); }
}

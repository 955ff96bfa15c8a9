// out = X, bit by bit. T is u32 or vec4u.
// uses: threads
// constants: T
// params: length u32
// writes: out T
// reads: X T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.length) { out[e] = X[e]; }
}

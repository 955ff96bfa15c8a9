// out = min(max(X, low), high). T is f32 or vec4f.
// uses: threads
// constants: T
// params: length u32, low f32, high f32
// writes: out T
// reads: X T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.length) { out[e] = min(max(X[e], T(params.low)), T(params.high)); }
}

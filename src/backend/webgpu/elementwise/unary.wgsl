// out = f(X), with the functions of unary-functions.wgsl.
// uses: threads, unary-functions
// constants: T
// params: length u32
// writes: out T
// reads: X T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.length) { out[e] = valueOf(X[e]); }
}

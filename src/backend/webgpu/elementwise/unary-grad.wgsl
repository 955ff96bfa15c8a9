// dX = dY · f'(X), given Y = f(X).
// uses: threads, unary-functions
// constants: T
// params: length u32
// writes: dX T
// reads: dY T, X T, Y T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.length) { dX[e] = dY[e] * slopeOf(X[e], Y[e]); }
}

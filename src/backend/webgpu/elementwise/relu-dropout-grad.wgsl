// dX = scale · dY where Y > 0, else 0.
// uses: threads
// params: length u32, scale f32
// writes: dX f32
// reads: dY f32, Y f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.length) { dX[e] = select(0.0, params.scale * dY[e], Y[e] > 0.0); }
}

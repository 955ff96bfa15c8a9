// Up to three copies, if the flag is above 0; else all stays as it was. T is u32 or vec4u.
// uses: threads
// constants: T
// params: firstLength u32, secondLength u32, thirdLength u32
// writes: firstTo T, secondTo T, thirdTo T
// reads: chosen f32, firstFrom T, secondFrom T, thirdFrom T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  if (!(chosen[0] > 0.0)) { return; }
  let e = threadIndex(group, local);
  if (e < params.firstLength) { firstTo[e] = firstFrom[e]; }
  if (e < params.secondLength) { secondTo[e] = secondFrom[e]; }
  if (e < params.thirdLength) { thirdTo[e] = thirdFrom[e]; }
}

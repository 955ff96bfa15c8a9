// out_e = x_i (ENDS 1), x_j (2) or x_i + x_j (3) of pair e = (i, j), added to out where ACCUMULATE is 1, times sign_e where
// SIGNED is 1.
// uses: threads
// constants: ACCUMULATE, ENDS, SIGNED
// params: length u32
// writes: out f32
// reads: sources u32, targets u32, x f32, signs f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  var sum = 0.0;
  if (ACCUMULATE == 1u) { sum = out[e]; }
  if ((ENDS & 1u) != 0u) { sum += x[sources[e]]; }
  if ((ENDS & 2u) != 0u) { sum += x[targets[e]]; }
  if (SIGNED == 1u) { sum *= signs[e]; }
  out[e] = sum;
}

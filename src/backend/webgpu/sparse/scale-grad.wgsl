// out_i = (dots_i + Σ_p parts_pi) / scale_i, added to out where ACCUMULATE is 1.
// uses: threads
// constants: ACCUMULATE
// params: rows u32, numParts u32
// writes: out f32
// reads: dots f32, parts f32, scale f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let i = threadIndex(group, local);
  if (i >= params.rows) { return; }
  var sum = dots[i];
  for (var p = 0u; p < params.numParts; p++) { sum += parts[p * params.rows + i]; }
  sum /= scale[i];
  if (ACCUMULATE == 1u) { sum += out[i]; }
  out[i] = sum;
}

// out_e = finish(Σ_p parts_pe), summed in the order of p and, with ADDED, from the old out_e on; rows have `cols`
// elements.
// uses: finish-flags, threads
// params: length u32, numParts u32, cols u32, finish u32
// writes: out f32
// reads: parts f32, bias f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  var sum = 0.0;
  if ((params.finish & ADDED) != 0u) { sum = out[e]; }
  for (var p = 0u; p < params.numParts; p++) { sum += parts[p * params.length + e]; }
  if ((params.finish & BIASED) != 0u) { sum += bias[e % params.cols]; }
  if ((params.finish & RELU) != 0u) { sum = max(sum, 0.0); }
  out[e] = sum;
}

// t_e = −q_e (e_j − ē) / T with e_j = scale_i ⟨dY_i, x_j⟩ and ē = Σ q e: the gradient with respect to δ_e. Also
// direct_e = scale_i q_e, and the column of each entry, by which rows of dX are put together. Past the last entry,
// `columns` is not written.
// uses: entry-lanes, threads
// requires: sumLanes(x, local)
// constants: LANES
// params: temperature f32, rows u32
// writes: towards f32, direct f32, columns u32
// reads: colIdx u32, shares f32, dots f32, scale f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var factor = 0.0;
  if (entries.row < params.rows) { factor = scale[entries.row]; }
  var mean = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) { mean += shares[e] * factor * dots[e]; }
  mean = sumLanes(mean, local);
  for (var e = entries.begin; e < entries.end; e += LANES) {
    towards[e] = -shares[e] * (factor * dots[e] - mean) / params.temperature;
    direct[e] = factor * shares[e];
    columns[e] = colIdx[e];
  }
}

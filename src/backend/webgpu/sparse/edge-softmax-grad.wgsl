// dx_e = y_e (dy_e − Σ over e's row of dy y). LANES threads per row.
// uses: entry-lanes, threads
// requires: sumLanes(x, local)
// constants: LANES
// writes: dx f32
// reads: dy f32, y f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var sum = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) { sum += dy[e] * y[e]; }
  sum = sumLanes(sum, local);
  for (var e = entries.begin; e < entries.end; e += LANES) { dx[e] = y[e] * (dy[e] - sum); }
}

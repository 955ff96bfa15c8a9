// out_i = Σ_j S_ij, or the number of entries of row i where VALUED is 0; added to out where ACCUMULATE is 1. LANES
// threads per row.
// uses: entry-lanes, threads
// requires: sumLanes(x, local)
// constants: ACCUMULATE, LANES, VALUED
// writes: out f32
// reads: entryValues f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var sum = 0.0;
  if (VALUED == 0u) {
    sum = select(0.0, f32(entries.end - entries.first), entries.leads);
  } else {
    for (var e = entries.begin; e < entries.end; e += LANES) { sum += entryValues[e]; }
  }
  sum = sumLanes(sum, local);
  if (!entries.leads) { return; }
  if (ACCUMULATE == 1u) { out[entries.row] += sum; } else { out[entries.row] = sum; }
}

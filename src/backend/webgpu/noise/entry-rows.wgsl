// out_e = the row of entry e. LANES threads per row.
// uses: threads
// constants: LANES
// params: rows u32
// writes: out u32
// reads: rowPtr u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  if (row >= params.rows) { return; }
  for (var e = rowPtr[row] + local % LANES; e < rowPtr[row + 1u]; e += LANES) { out[e] = row; }
}

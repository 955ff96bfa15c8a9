// out_e = 1 / √(d_i d_j) where SYMMETRIC is 1, else 1 / d_i, for each entry e = (i, j), where d_i is the number of
// entries of row i. LANES threads per row.
// uses: threads
// constants: LANES, SYMMETRIC
// params: rows u32
// writes: out f32
// reads: rowPtr u32, colIdx u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  if (row >= params.rows) { return; }
  let first = rowPtr[row];
  let last = rowPtr[row + 1u];
  let own = f32(last - first);
  for (var e = first + local % LANES; e < last; e += LANES) {
    if (SYMMETRIC == 1u) {
      let j = colIdx[e];
      out[e] = 1.0 / sqrt(own * f32(rowPtr[j + 1u] - rowPtr[j]));
    } else {
      out[e] = 1.0 / own;
    }
  }
}

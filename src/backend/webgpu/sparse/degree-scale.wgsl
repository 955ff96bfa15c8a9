// out_i = 1 / √d where ROOT is 1, else 1 / d, and 0 where d = 0, with the degree d = 1 + the number of entries in row i
// of A + the sum of those in row i of B. LANES threads per row.
// uses: threads
// requires: sumLanes(x, local)
// constants: HAS_PAIRS, LANES, ROOT
// params: rows u32
// writes: out f32
// reads: rowPtr u32, pairPtr u32, pairValues f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  let lane = local % LANES;
  var sum = 0.0;
  if (HAS_PAIRS == 1u && row < params.rows) {
    let last = pairPtr[row + 1u];
    for (var e = pairPtr[row] + lane; e < last; e += LANES) { sum += pairValues[e]; }
  }
  sum = sumLanes(sum, local);
  if (row >= params.rows || lane > 0u) { return; }
  let degree = 1.0 + f32(rowPtr[row + 1u] - rowPtr[row]) + sum;
  let inverse = select(1.0 / degree, 1.0 / sqrt(degree), ROOT == 1u);
  out[row] = select(inverse, 0.0, degree == 0.0);
}

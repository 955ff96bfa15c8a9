// out_i = Σ_c A_ic · B_ic, or Σ_c A_ic where HAS_B is 0. LANES threads per row. T is f32 or vec4f; cols counts in T.
// uses: row-lanes, threads
// requires: sumLanes(x, local), total(x)
// constants: T, HAS_B, LANES
// params: cols u32
// writes: out f32
// reads: A T, B T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  var sum = 0.0;
  for (var c = share.begin; c < share.end; c += LANES) {
    let e = share.row * params.cols + c;
    if (HAS_B == 1u) { sum += total(A[e] * B[e]); } else { sum += total(A[e]); }
  }
  sum = sumLanes(sum, local);
  if (share.leads) { out[share.row] = sum; }
}

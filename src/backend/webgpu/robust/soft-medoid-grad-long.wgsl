// terms_e, what entry e = (i, j) adds to row j of dX: direct_e dY_i + Σ_l (t_e a_l + t_l a_e) (x_j − x_l) / ‖x_j −
// x_l‖, where equal points add 0. For rows of more than MOST entries; LANES threads per row.
// uses: entry-lanes, entry-weight, threads
// constants: LANES, MOST
// params: cols u32
// writes: terms f32
// reads: colIdx u32, towards f32, direct f32, X f32, dY f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  if (entries.end - entries.first <= MOST) { return; }
  for (var e = entries.begin; e < entries.end; e += LANES) {
    let j = colIdx[e];
    for (var c = 0u; c < params.cols; c++) { terms[e * params.cols + c] = direct[e] * dY[entries.row * params.cols + c]; }
    for (var l = entries.first; l < entries.end; l++) {
      let other = colIdx[l];
      var square = 0.0;
      for (var c = 0u; c < params.cols; c++) {
        let d = X[j * params.cols + c] - X[other * params.cols + c];
        square += d * d;
      }
      if (square == 0.0) { continue; }
      let strength = (towards[e] * weightOf(l) + towards[l] * weightOf(e)) / sqrt(square);
      for (var c = 0u; c < params.cols; c++) {
        terms[e * params.cols + c] += strength * (X[j * params.cols + c] - X[other * params.cols + c]);
      }
    }
  }
}

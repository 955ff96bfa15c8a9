// medianGrad_ic = −Σ_e pull_e (x_jc − m_ic) over the entries e = (i, j) of row i, with terms_e = (direct_e, pull_e). T
// is f32 or vec4f; cols counts in T.
// uses: threads
// constants: T
// params: rows u32, cols u32
// writes: medianGrad T
// reads: rowPtr u32, colIdx u32, terms vec2f, X T, median T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let at = threadIndex(group, local);
  if (at >= params.rows * params.cols) { return; }
  let row = at / params.cols;
  let c = at % params.cols;
  let m = median[at];
  var sum = T(0.0);
  for (var e = rowPtr[row]; e < rowPtr[row + 1u]; e++) {
    let x = X[colIdx[e] * params.cols + c];
    sum -= terms[e].y * (x - m);
  }
  medianGrad[at] = sum;
}

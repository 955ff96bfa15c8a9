// Soft Medoid: δ_e = Σ_l a_l ‖x_e − x_l‖ over the entries of a row, s = softmax(−δ / T), and q = s a / Σ s a (WEIGHTED) or s.
// uses: entry-lanes, entry-weight, threads
// requires: maxLanes(x, local), sumLanes(x, local)
// constants: LANES, WEIGHTED
// params: cols u32, temperature f32, lowest f32
// writes: shares f32
// reads: colIdx u32, X f32

fn apart(i: u32, j: u32) -> f32 {
  var sum = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let d = X[i * params.cols + c] - X[j * params.cols + c];
    sum += d * d;
  }
  return sqrt(sum);
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var top = params.lowest;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    var delta = 0.0;
    for (var l = entries.first; l < entries.end; l++) { delta += weightOf(l) * apart(colIdx[e], colIdx[l]); }
    shares[e] = -delta / params.temperature;
    if (WEIGHTED == 0u || weightOf(e) > 0.0) { top = max(top, shares[e]); }
  }
  top = maxLanes(top, local);
  var Z = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    var q = 0.0;
    if (WEIGHTED == 0u) { q = exp(shares[e] - top); }
    else if (weightOf(e) > 0.0) { q = exp(shares[e] - top) * weightOf(e); }
    shares[e] = q;
    Z += q;
  }
  Z = sumLanes(Z, local);
  for (var e = entries.begin; e < entries.end; e += LANES) {
    if (Z > 0.0) { shares[e] /= Z; }
  }
}

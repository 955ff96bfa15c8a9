// Soft Medoid: s = softmax(−δ / T) over the entries of a row with the distances δ, and q = s a / Σ s a (WEIGHTED) or s.
// uses: entry-lanes, entry-weight, threads
// requires: maxLanes(x, local), sumLanes(x, local)
// constants: LANES, WEIGHTED
// params: temperature f32, lowest f32
// writes: shares f32
// reads: distances f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var top = params.lowest;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    if (WEIGHTED == 0u || weightOf(e) > 0.0) { top = max(top, -distances[e] / params.temperature); }
  }
  top = maxLanes(top, local);
  var Z = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    let s = exp(-distances[e] / params.temperature - top);
    var q = 0.0;
    if (WEIGHTED == 0u) { q = s; }
    else if (weightOf(e) > 0.0) { q = s * weightOf(e); }
    shares[e] = q;
    Z += q;
  }
  Z = sumLanes(Z, local);
  for (var e = entries.begin; e < entries.end; e += LANES) {
    if (Z > 0.0) { shares[e] /= Z; }
  }
}

// share_e = exp(−c_e / T) / Σ a exp(−c / T) over the entries of a row, shifted so that 0 / 0 never occurs, and direct_e
// = W a share.
// uses: closeness, entry-lanes, entry-weight, threads
// requires: maxLanes(x, local), sumLanes(x, local)
// constants: LANES
// params: temperature f32, lowest f32
// writes: shares f32, direct f32
// reads: distances f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var top = params.lowest;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    if (weightOf(e) > 0.0) { top = max(top, -distances[e] / params.temperature); }
  }
  top = maxLanes(top, local);
  let isWeighed = top > params.lowest;
  var W = 0.0;
  var Z = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    let share = select(0.0, closeness(distances[e], top), isWeighed);
    shares[e] = share;
    W += weightOf(e);
    Z += weightOf(e) * share;
  }
  W = sumLanes(W, local);
  Z = sumLanes(Z, local);
  for (var e = entries.begin; e < entries.end; e += LANES) {
    let share = select(shares[e], shares[e] / Z, Z > 0.0);
    shares[e] = share;
    direct[e] = W * weightOf(e) * share;
  }
}

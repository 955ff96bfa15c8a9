// The part of Soft Median's gradient that a row can compute by itself. With the values a, distances c, q = a · share, W
// = Σ a, e_j = W ⟨dY_i, x_j⟩ and ē = Σ q e: dValues_e = share (e_j − ē) + ē / W, and terms_e = (direct_e, pull_e) with
// direct_e = W q and pull_e = −q (e_j − ē) / (T cols c), 0 where c = 0. LANES threads per row.
// uses: entry-lanes, entry-weight, threads
// requires: sumLanes(x, local)
// constants: LANES, TO_VALUES, TO_X
// params: cols u32, temperature f32
// writes: dValues f32, terms vec2f
// reads: shares f32, dots f32, distances f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var W = 0.0;
  var inner = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) {
    W += weightOf(e);
    inner += weightOf(e) * shares[e] * dots[e];
  }
  W = sumLanes(W, local);
  inner = sumLanes(inner, local);
  for (var e = entries.begin; e < entries.end; e += LANES) {
    let excess = W * (dots[e] - inner);
    let q = weightOf(e) * shares[e];
    if (TO_VALUES == 1u) { dValues[e] = shares[e] * excess + inner; }
    if (TO_X == 1u) {
      let c = distances[e];
      let pull = select(-q * excess / (params.temperature * f32(params.cols) * c), 0.0, c == 0.0);
      terms[e] = vec2f(W * q, pull);
    }
  }
}

// out_e = an inner product of rows, or the sum of two, for each pair e = (i, j); added to out where ACCUMULATE is 1.
// LANES threads together take four pairs. Pairs are sorted, so rows i are in the cache and only rows j are gathered.
// Another file computes the products (partOf).
// uses: threads
// requires: sumLanes(x, local), sumFour(x, local), partOf(e, lane)
// constants: ACCUMULATE, LANES
// params: length u32
// writes: out f32

fn store(e: u32, sum: f32) {
  if (e >= params.length) { return; }
  if (ACCUMULATE == 1u) { out[e] += sum; } else { out[e] = sum; }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let e = (threadIndex(group, local) / LANES) * 4u;
  // all four are loaded before any is stored: the loads overlap
  let parts = vec4f(partOf(e, lane), partOf(e + 1u, lane), partOf(e + 2u, lane), partOf(e + 3u, lane));
  if (LANES < 4u) {
    for (var t = 0u; t < 4u; t++) {
      let sum = sumLanes(parts[t], local);
      if (lane == 0u) { store(e + t, sum); }
    }
    return;
  }
  let sum = sumFour(parts, local); // of pair e + lane / quarter
  let quarter = max(LANES / 4u, 1u);
  if (lane % quarter == 0u) { store(e + lane / quarter, sum); }
}

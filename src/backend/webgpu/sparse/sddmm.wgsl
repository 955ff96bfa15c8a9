// out_e = an inner product of rows, or the sum of two, for each pair e = (i, j); added to out where ACCUMULATE is 1. LANES threads per pair,
// four pairs each: pairs are sorted, so rows i are in the cache and only rows j are gathered. Another file has the products.
// uses: threads
// requires: sumLanes(x, local), partOf(e, lane)
// constants: ACCUMULATE, LANES
// params: length u32
// writes: out f32

fn store(e: u32, lane: u32, sum: f32) {
  if (e >= params.length || lane != 0u) { return; }
  if (ACCUMULATE == 1u) { out[e] += sum; } else { out[e] = sum; }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let lane = local % LANES;
  let e = (threadIndex(group, local) / LANES) * 4u;
  // all four are loaded before any is stored: the loads overlap
  let part0 = partOf(e, lane);
  let part1 = partOf(e + 1u, lane);
  let part2 = partOf(e + 2u, lane);
  let part3 = partOf(e + 3u, lane);
  store(e, lane, sumLanes(part0, local));
  store(e + 1u, lane, sumLanes(part1, local));
  store(e + 2u, lane, sumLanes(part2, local));
  store(e + 3u, lane, sumLanes(part3, local));
}

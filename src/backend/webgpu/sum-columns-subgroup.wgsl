// Sums over the columns of a neighbourhood by subgroups of 32: in each of five steps a thread keeps half of its neighbours and
// gives the other half to a thread that keeps those, until each has two.
var<workgroup> halves: array<f32, 2u * SIDE>;

// Σ over the columns of summand, for the neighbour of this thread.
fn sumColumns(local: u32) -> f32 {
  var v: array<vec4f, QUADS>;
  for (var t = 0u; t < QUADS; t++) { v[t] = summand(t); }
  let isHigh = vec4<bool>((local & 16u) != 0u, (local & 8u) != 0u, (local & 4u) != 0u, (local & 2u) != 0u);
  for (var t = 0u; t < 8u; t++) {
    v[t] = select(v[t], v[t + 8u], isHigh.x) + subgroupShuffleXor(select(v[t + 8u], v[t], isHigh.x), 16u);
  }
  for (var t = 0u; t < 4u; t++) {
    v[t] = select(v[t], v[t + 4u], isHigh.y) + subgroupShuffleXor(select(v[t + 4u], v[t], isHigh.y), 8u);
  }
  for (var t = 0u; t < 2u; t++) {
    v[t] = select(v[t], v[t + 2u], isHigh.z) + subgroupShuffleXor(select(v[t + 2u], v[t], isHigh.z), 4u);
  }
  v[0] = select(v[0], v[1], isHigh.w) + subgroupShuffleXor(select(v[1], v[0], isHigh.w), 2u);
  let isOdd = (local & 1u) == 1u;
  let two = select(v[0].xy, v[0].zw, isOdd) + subgroupShuffleXor(select(v[0].zw, v[0].xy, isOdd), 1u);
  halves[2u * local] = two.x; // of neighbour 2 lane, and the next one, over the columns of this subgroup
  halves[2u * local + 1u] = two.y;
  workgroupBarrier();
  let total = halves[local] + halves[SIDE + local];
  workgroupBarrier();
  return total;
}

// Sums over a team by subgroups: in each of four steps a thread keeps half of its neighbours and gives the other half to a thread that
// keeps those, until each has the one that it stands for.
fn sumTeam(ofNeighbours: array<f32, TEAM>, local: u32) -> f32 {
  var v = ofNeighbours;
  let isHigh = vec4<bool>((local & 8u) != 0u, (local & 4u) != 0u, (local & 2u) != 0u, (local & 1u) != 0u);
  for (var t = 0u; t < 8u; t++) {
    v[t] = select(v[t], v[t + 8u], isHigh.x) + subgroupShuffleXor(select(v[t + 8u], v[t], isHigh.x), 8u);
  }
  for (var t = 0u; t < 4u; t++) {
    v[t] = select(v[t], v[t + 4u], isHigh.y) + subgroupShuffleXor(select(v[t + 4u], v[t], isHigh.y), 4u);
  }
  for (var t = 0u; t < 2u; t++) {
    v[t] = select(v[t], v[t + 2u], isHigh.z) + subgroupShuffleXor(select(v[t + 2u], v[t], isHigh.z), 2u);
  }
  return select(v[0], v[1], isHigh.w) + subgroupShuffleXor(select(v[1], v[0], isHigh.w), 1u);
}

// Sums and extremes over LANES neighbouring threads (a power of two, at most a subgroup); all of them get the result.
// constants: LANES

fn sumLanes(x: f32, local: u32) -> f32 {
  var sum = x;
  for (var mask = LANES / 2u; mask > 0u; mask >>= 1u) { sum += subgroupShuffleXor(sum, mask); }
  return sum;
}

fn maxLanes(x: f32, local: u32) -> f32 {
  var top = x;
  for (var mask = LANES / 2u; mask > 0u; mask >>= 1u) { top = max(top, subgroupShuffleXor(top, mask)); }
  return top;
}

fn minLanes(x: u32, local: u32) -> u32 {
  var least = x;
  for (var mask = LANES / 2u; mask > 0u; mask >>= 1u) { least = min(least, subgroupShuffleXor(least, mask)); }
  return least;
}

// Sums and extremes over LANES neighbouring threads (a power of two, at most a subgroup); all of them get the result.
// constants: LANES

fn sumLanes(x: f32, local: u32) -> f32 {
  var sum = x;
  for (var mask = LANES / 2u; mask > 0u; mask >>= 1u) { sum += subgroupShuffleXor(sum, mask); }
  return sum;
}

// Four sums over at least four threads: the threads of quarter q get the sum of x_q. Takes fewer exchanges than four
// sums one after the other: in each of the first two, a thread gives away half of its sums.
fn sumFour(x: vec4f, local: u32) -> f32 {
  let isUpper = (local & (LANES / 2u)) != 0u;
  let two = select(x.xy, x.zw, isUpper) + subgroupShuffleXor(select(x.zw, x.xy, isUpper), LANES / 2u);
  let isNext = (local & (LANES / 4u)) != 0u;
  var sum = select(two.x, two.y, isNext) + subgroupShuffleXor(select(two.y, two.x, isNext), LANES / 4u);
  for (var mask = LANES / 8u; mask > 0u; mask >>= 1u) { sum += subgroupShuffleXor(sum, mask); }
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

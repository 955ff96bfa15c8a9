// Sums over the columns of a neighbourhood by subgroups of 32, for half of the neighbours at a time: in each of five steps a thread
// keeps half of them and gives the other half to a thread that keeps those, until each has one.
const HALF = QUADS / 2u;
var<workgroup> halves: array<f32, 2u * SIDE>;

// Σ over the columns of this subgroup, for neighbour `lane` of 32 from quad `first` on.
fn sumHalf(first: u32, local: u32) -> f32 {
  let isHigh = vec4<bool>((local & 16u) != 0u, (local & 8u) != 0u, (local & 4u) != 0u, (local & 2u) != 0u);
  var v: array<vec4f, 4>;
  for (var t = 0u; t < 4u; t++) {
    let low = summand(first + t);
    let high = summand(first + t + 4u);
    v[t] = select(low, high, isHigh.x) + subgroupShuffleXor(select(high, low, isHigh.x), 16u);
  }
  for (var t = 0u; t < 2u; t++) {
    v[t] = select(v[t], v[t + 2u], isHigh.y) + subgroupShuffleXor(select(v[t + 2u], v[t], isHigh.y), 8u);
  }
  let four = select(v[0], v[1], isHigh.z) + subgroupShuffleXor(select(v[1], v[0], isHigh.z), 4u);
  let two = select(four.xy, four.zw, isHigh.w) + subgroupShuffleXor(select(four.zw, four.xy, isHigh.w), 2u);
  let isOdd = (local & 1u) == 1u;
  return select(two.x, two.y, isOdd) + subgroupShuffleXor(select(two.y, two.x, isOdd), 1u);
}

// Σ over the columns of summand, for the neighbour of this thread.
fn sumColumns(local: u32) -> f32 {
  let place = local / 32u * SIDE + local % 32u;
  halves[place] = sumHalf(0u, local);
  halves[place + 32u] = sumHalf(HALF, local);
  workgroupBarrier();
  let total = halves[local] + halves[SIDE + local];
  workgroupBarrier();
  return total;
}

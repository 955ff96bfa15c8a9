// Writes a block in ascending order. Draw d is a rank among the pairs that are not kept: if c kept pairs come before
// it, its pair has index rank + c and place d + c in the block. Ranks are drawn from strata, or read from the sorted
// list `ranks` where LISTED is 1. The thread of draw d also writes the kept pairs between draws d − 1 and d.
// uses: draw, pair-index, threads, u64
// constants: LISTED, RESAMPLE
// params: numNodes u32, directed u32, keyLow u32, keyHigh u32, floor f32
// writes: sources u32, targets u32, weights f32
// reads: plan u32, ranks vec2u, kept vec4u, keptWeights f32

var<workgroup> keptBefore: array<u32, WORKGROUP>;

fn rankOf(d: u32) -> vec2u {
  if (LISTED == 1u) { return ranks[d]; }
  let key = vec2u(params.keyLow, params.keyHigh);
  let base = vec2u(plan[4], plan[5]);
  let larger = plan[3];
  if (d < larger) {
    let width = add64(base, vec2u(1u, 0u));
    return add64(mul64(vec2u(d, 0u), width), drawBelow(d, key, width));
  }
  return add64(add64(vec2u(larger, 0u), mul64(vec2u(d, 0u), base)), drawBelow(d, key, base));
}

// Number of kept pairs that come before the pair of this rank.
fn keptUpTo(rank: vec2u) -> u32 {
  var low = 0u;
  var high = plan[0];
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (less64(rank, kept[middle].xy)) { high = middle; } else { low = middle + 1u; }
  }
  return low;
}

fn placeKept(t: u32, place: u32) {
  sources[place] = kept[t].z;
  targets[place] = kept[t].w;
  weights[place] = keptWeights[t];
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let d = threadIndex(group, local);
  let draws = plan[2];
  var rank = vec2u(0u);
  var c = 0u;
  if (d < draws) {
    rank = rankOf(d);
    if (RESAMPLE == 1u) { c = keptUpTo(rank); }
  }
  keptBefore[local] = c;
  workgroupBarrier();
  if (d >= draws) { return; }
  let pair = pairAt(params.numNodes, params.directed, add64(rank, vec2u(c, 0u)));
  sources[d + c] = pair.x;
  targets[d + c] = pair.y;
  if (RESAMPLE == 0u) { return; }
  weights[d + c] = params.floor;
  var t = 0u;
  if (local > 0u) { t = keptBefore[local - 1u]; } else if (d > 0u) { t = keptUpTo(rankOf(d - 1u)); }
  for (; t < c; t++) { placeKept(t, t + d); }
  if (d == draws - 1u) {
    for (; t < plan[0]; t++) { placeKept(t, t + draws); }
  }
}

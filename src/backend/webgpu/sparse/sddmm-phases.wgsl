// What sddmm.wgsl does, for pairs of which there are many per node, in phases: each takes the pairs whose target is among its `phaseRows` rows, which are so few that
// they stay in the cache. A thread has a pair, and the LANES threads of a team, which are in one subgroup, take the pairs of all of them in turn, two at a time:
// their loads overlap.
// uses: threads
// requires: sumLanes(x, local), Units, unitsOf(i, j), partOfPair(i, j, units, lane)
// constants: ACCUMULATE, LANES
// params: length u32, groups u32, phaseRows u32
// writes: out f32
// reads: sources u32, targets u32

// A bit for each thread of the team, set where the condition holds.
fn teamBits(holds: bool, first: u32) -> u32 {
  let all = subgroupBallot(holds);
  return (all[first / 32u] >> (first % 32u)) & (0xffffffffu >> (32u - LANES));
}

fn shuffledUnits(units: Units, source: u32) -> Units {
  return Units(
    subgroupShuffle(units.leftThere, source),
    subgroupShuffle(units.rightThere, source),
    subgroupShuffle(units.leftBack, source),
    subgroupShuffle(units.rightBack, source),
  );
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32, @builtin(subgroup_invocation_id) id: u32) {
  let index = groupIndex(group);
  let phase = index / params.groups;
  let e = (index % params.groups) * WORKGROUP + local;
  let lane = local % LANES;
  let first = id - lane;
  let known = min(e, params.length - 1u);
  let i = sources[known];
  let j = targets[known];
  let isTaken = e < params.length && j / params.phaseRows == phase;
  var units = Units();
  if (isTaken) { units = unitsOf(i, j); }
  var left = teamBits(isTaken, first);
  var sum = 0.0;
  let rounds = (subgroupMax(countOneBits(left)) + 1u) / 2u;
  for (var round = 0u; round < rounds; round++) {
    let isOne = left != 0u;
    let one = min(firstTrailingBit(left), LANES - 1u);
    left &= left - 1u;
    let isTwo = left != 0u;
    let two = min(firstTrailingBit(left), LANES - 1u);
    left &= left - 1u;
    let i1 = subgroupShuffle(i, first + one);
    let j1 = subgroupShuffle(j, first + one);
    let i2 = subgroupShuffle(i, first + two);
    let j2 = subgroupShuffle(j, first + two);
    let units1 = shuffledUnits(units, first + one);
    let units2 = shuffledUnits(units, first + two);
    var part1 = 0.0;
    var part2 = 0.0;
    if (isOne) { part1 = partOfPair(i1, j1, units1, lane); }
    if (isTwo) { part2 = partOfPair(i2, j2, units2, lane); }
    let sum1 = sumLanes(part1, local);
    let sum2 = sumLanes(part2, local);
    if (isOne && lane == one) { sum = sum1; }
    if (isTwo && lane == two) { sum = sum2; }
  }
  if (!isTaken) { return; }
  if (ACCUMULATE == 1u) { sum += out[e]; }
  out[e] = sum;
}

// For sddmm.wgsl: the products of sddmm-half.wgsl.
// requires: unitsOf(i, j), partOfPair(i, j, units, lane)
// params: length u32
// reads: sources u32, targets u32

// This thread's part of the inner products of pair e; behind the last pair, that of the last one again.
fn partOf(e: u32, lane: u32) -> f32 {
  let known = min(e, params.length - 1u);
  let i = sources[known];
  let j = targets[known];
  return partOfPair(i, j, unitsOf(i, j), lane);
}

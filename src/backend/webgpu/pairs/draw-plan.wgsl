// Plans the draws of a block once it is known how many pairs are kept. In `plan`: [0] number of kept pairs, [2] number
// of draws, [3] number of larger strata, [4, 5] size of the smaller strata, [6, 7] range to draw from.
// uses: pair-index, u64
// params: length u32, numNodes u32, directed u32
// writes: plan u32

fn writePlan(kept: u32) {
  let draws = params.length - kept;
  let range = sub64(pairCount(params.numNodes, params.directed), vec2u(kept, 0u));
  var base = vec2u(0u);
  var rest = 0u; // long division bit by bit; draws are below 2^31, so that doubling the remainder does not overflow
  for (var bit = 63i; bit >= 0i; bit--) {
    let word = select(range.x, range.y, bit >= 32i);
    rest = (rest << 1u) | ((word >> (u32(bit) & 31u)) & 1u);
    if (rest >= draws) {
      rest -= draws;
      if (bit >= 32i) { base.y |= 1u << (u32(bit) & 31u); } else { base.x |= 1u << u32(bit); }
    }
  }
  plan[0] = kept;
  plan[2] = draws;
  plan[3] = rest;
  plan[4] = base.x;
  plan[5] = base.y;
  plan[6] = range.x;
  plan[7] = range.y;
}

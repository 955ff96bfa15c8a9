// Rows of X as halves: X_ic = unit_i · half_ic, with a power of two per row, so that the largest number of a row is below 2^15 and none of
// the others is lost beside it. LANES threads per row, eight columns at a time.
// uses: threads
// requires: maxLanes(x, local)
// constants: LANES
// params: rows u32, cols u32
// writes: packed vec4u, unit f32
// reads: X vec4f

// Below this a row counts as 0: its unit would be no normal number any more.
const SMALLEST = 1e-30;

fn largestOf(x: vec4f) -> f32 {
  let size = abs(x);
  return max(max(size.x, size.y), max(size.z, size.w));
}

fn halves(x: vec4f) -> vec2u {
  return vec2u(pack2x16float(x.xy), pack2x16float(x.zw));
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  let lane = local % LANES;
  let isThere = row < params.rows;
  let first = select(0u, row * params.cols, isThere);
  let end = select(0u, params.cols, isThere);
  var most = SMALLEST;
  for (var c = lane; c < end; c += LANES) {
    let at = 2u * (first + c);
    most = max(most, max(largestOf(X[at]), largestOf(X[at + 1u])));
  }
  most = maxLanes(most, local);
  let power = bitcast<f32>(bitcast<u32>(most) & 0x7f800000u); // the power of two up to it
  let factor = 16384.0 / power;
  for (var c = lane; c < end; c += LANES) {
    let at = 2u * (first + c);
    packed[first + c] = vec4u(halves(factor * X[at]), halves(factor * X[at + 1u]));
  }
  if (isThere && lane == 0u) { unit[row] = power / 16384.0; }
}

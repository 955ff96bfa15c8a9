// Rows of X as halves: X_ic = unit_i · half_ic, and the units, once and four times each. LANES threads per row, eight columns at a time.
// uses: row-units, threads
// requires: maxLanes(x, local)
// constants: LANES
// params: rows u32, cols u32
// writes: packed vec4u, repeated vec4u, unit f32
// reads: X vec4f

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
  let scale = unitOf(most);
  let factor = 1.0 / scale;
  for (var c = lane; c < end; c += LANES) {
    let at = 2u * (first + c);
    packed[first + c] = vec4u(halves(factor * X[at]), halves(factor * X[at + 1u]));
  }
  if (isThere && lane == 0u) {
    unit[row] = scale;
    repeated[row] = vec4u(bitcast<u32>(scale));
  }
}

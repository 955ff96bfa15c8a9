// Packs rows of `given` as halves: given_ic = unit_i · half_ic. Also writes the units, once (`unit`) and four times
// each (`repeated`). LANES threads per row, eight columns at a time, with zeros past the last column.
// uses: row-units, threads
// requires: maxLanes(x, local), givenAt(row, c)
// constants: LANES
// params: rows u32, cols u32, stride u32
// writes: packed vec4u, repeated vec4u, unit f32

fn halves(x: vec4f) -> vec2u {
  return vec2u(pack2x16float(x.xy), pack2x16float(x.zw));
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  let lane = local % LANES;
  let isThere = row < params.rows;
  let end = select(0u, params.cols, isThere);
  var most = SMALLEST;
  for (var c = lane; c < end; c += LANES) {
    let x = givenAt(row, c);
    most = max(most, max(largestOf(x[0]), largestOf(x[1])));
  }
  most = maxLanes(most, local);
  let scale = unitOf(most);
  let factor = 1.0 / scale;
  for (var c = lane; c < end; c += LANES) {
    let x = givenAt(row, c);
    packed[row * params.stride + c] = vec4u(halves(factor * x[0]), halves(factor * x[1]));
  }
  if (isThere && lane == 0u) {
    unit[row] = scale;
    repeated[row] = vec4u(bitcast<u32>(scale));
  }
}

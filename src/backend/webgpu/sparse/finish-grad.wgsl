// Gradient of Y = finish(Z) through relu and bias: if HAS_RELU is 1, dZ = dY where Y > 0, else 0; otherwise dZ = dY,
// which is not stored. And dots_i = Σ_c dZ_ic · (Y_ic − bias_c). LANES threads per row. T is f32 or vec4f; cols counts
// in T.
// uses: row-lanes, threads
// requires: sumLanes(x, local), total(x)
// constants: T, HAS_BIAS, HAS_RELU, LANES
// params: cols u32
// writes: dZ T, dots f32
// reads: dY T, Y T, bias T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  var sum = 0.0;
  for (var c = share.begin; c < share.end; c += LANES) {
    let e = share.row * params.cols + c;
    let y = Y[e];
    var z = y;
    if (HAS_BIAS == 1u) { z -= bias[c]; }
    var gradient = dY[e];
    if (HAS_RELU == 1u) {
      gradient = select(T(0.0), gradient, y > T(0.0));
      dZ[e] = gradient;
    }
    sum += total(gradient * z);
  }
  sum = sumLanes(sum, local);
  if (share.leads) { dots[share.row] = sum; }
}

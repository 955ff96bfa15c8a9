// Rows times a weight, packed as halves by pack-rows.wgsl, eight numbers at a time; T is mat2x4f. The units of the rows are behind them in
// the same binding, from vector `firstUnit` on and four times each: kernels that gather have no other binding to spare, and to pick one number
// of a vector takes longer than to load it.
// constants: T
// params: stride u32, firstUnit u32
// reads: X vec4u

fn gathered(j: u32, c: u32, weight: f32) -> T {
  let x = X[j * params.stride + c];
  let unit = bitcast<f32>(X[params.firstUnit + j].x);
  let first = vec4f(unpack2x16float(x.x), unpack2x16float(x.y));
  let second = vec4f(unpack2x16float(x.z), unpack2x16float(x.w));
  return (weight * unit) * T(first, second);
}

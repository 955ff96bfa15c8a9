// Rows of X times a weight, eight numbers at a time (T is mat2x4f), from halves packed by pack-rows.wgsl. The units
// follow the rows in the same binding, from vector `firstUnit` on, because kernels that gather have no binding to
// spare. Each unit fills a vector, because loading one is faster than picking a number out of a vector of four units.
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

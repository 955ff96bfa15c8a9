// For sddmm.wgsl: ⟨P_i, Q_j⟩, plus ⟨P_j, Q_i⟩ where SYMMETRIC is 1, of rows that pack-rows.wgsl has packed as halves. Sums are in f32.
// constants: LANES, SYMMETRIC
// params: length u32, cols u32, stride u32
// reads: sources u32, targets u32, P vec4u, Q vec4u, unitP f32, unitQ f32

// Inner product of eight numbers.
fn product(a: vec4u, b: vec4u) -> f32 {
  let there = vec4f(unpack2x16float(a.x), unpack2x16float(a.y)) * vec4f(unpack2x16float(b.x), unpack2x16float(b.y));
  let rest = vec4f(unpack2x16float(a.z), unpack2x16float(a.w)) * vec4f(unpack2x16float(b.z), unpack2x16float(b.w));
  let sums = there + rest;
  return (sums.x + sums.y) + (sums.z + sums.w);
}

// This thread's part of the inner products of pair e; past the last pair, its part of the last pair again.
fn partOf(e: u32, lane: u32) -> f32 {
  let known = min(e, params.length - 1u);
  let i = sources[known];
  let j = targets[known];
  var there = 0.0;
  var back = 0.0;
  for (var c = lane; c < params.cols; c += LANES) {
    there += product(P[i * params.stride + c], Q[j * params.stride + c]);
    if (SYMMETRIC == 1u) { back += product(P[j * params.stride + c], Q[i * params.stride + c]); }
  }
  // one unit at a time: their product may underflow
  var part = unitP[i] * (unitQ[j] * there);
  if (SYMMETRIC == 1u) { part += unitP[j] * (unitQ[i] * back); }
  return part;
}

// ⟨P_i, Q_j⟩, and ⟨P_j, Q_i⟩ where SYMMETRIC is 1, of rows that pack-rows.wgsl has packed as halves. Sums are in f32.
// constants: LANES, SYMMETRIC
// params: cols u32, stride u32
// reads: P vec4u, Q vec4u, unitP f32, unitQ f32

// Inner product of eight numbers.
fn product(a: vec4u, b: vec4u) -> f32 {
  let there = vec4f(unpack2x16float(a.x), unpack2x16float(a.y)) * vec4f(unpack2x16float(b.x), unpack2x16float(b.y));
  let rest = vec4f(unpack2x16float(a.z), unpack2x16float(a.w)) * vec4f(unpack2x16float(b.z), unpack2x16float(b.w));
  let sums = there + rest;
  return (sums.x + sums.y) + (sums.z + sums.w);
}

// What multiplies the products of the halves of i and j. Units come one by one: their product may be too small a number.
struct Units { leftThere: f32, rightThere: f32, leftBack: f32, rightBack: f32 }

fn unitsOf(i: u32, j: u32) -> Units {
  if (SYMMETRIC == 0u) { return Units(unitP[i], unitQ[j], 0.0, 0.0); }
  return Units(unitP[i], unitQ[j], unitP[j], unitQ[i]);
}

// This thread's part of the inner products of i and j.
fn partOfPair(i: u32, j: u32, units: Units, lane: u32) -> f32 {
  var there = 0.0;
  var back = 0.0;
  for (var c = lane; c < params.cols; c += LANES) {
    there += product(P[i * params.stride + c], Q[j * params.stride + c]);
    if (SYMMETRIC == 1u) { back += product(P[j * params.stride + c], Q[i * params.stride + c]); }
  }
  var part = units.leftThere * (units.rightThere * there);
  if (SYMMETRIC == 1u) { part += units.leftBack * (units.rightBack * back); }
  return part;
}

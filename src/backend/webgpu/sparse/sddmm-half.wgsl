// For sddmm.wgsl: ⟨P_i, Q_j⟩, plus ⟨P_j, Q_i⟩ where SYMMETRIC is 1, of rows that pack-rows.wgsl has packed as halves. Sums are in f32.
// constants: LANES, SYMMETRIC
// params: length u32, cols u32
// reads: sources u32, targets u32, P vec4u, Q vec4u, unitP f32, unitQ f32

struct Eight { first: vec4f, second: vec4f }

fn unpacked(x: vec4u) -> Eight {
  return Eight(vec4f(unpack2x16float(x.x), unpack2x16float(x.y)), vec4f(unpack2x16float(x.z), unpack2x16float(x.w)));
}

fn product(a: Eight, b: Eight) -> f32 { return dot(a.first, b.first) + dot(a.second, b.second); }

// ⟨P_i, Q_j⟩ and ⟨P_j, Q_i⟩ in their units.
fn inUnits(i: u32, j: u32, there: f32, back: f32) -> f32 {
  // units come one by one: their product may be too small a number
  let part = unitP[i] * (unitQ[j] * there);
  if (SYMMETRIC == 1u) { return part + unitP[j] * (unitQ[i] * back); }
  return part;
}

// This thread's part of the inner products of pair e; behind the last pair, that of the last one again.
fn partOf(e: u32, lane: u32) -> f32 {
  let known = min(e, params.length - 1u);
  let i = sources[known];
  let j = targets[known];
  var there = 0.0;
  var back = 0.0;
  for (var c = lane; c < params.cols; c += LANES) {
    there += product(unpacked(P[i * params.cols + c]), unpacked(Q[j * params.cols + c]));
    if (SYMMETRIC == 1u) { back += product(unpacked(P[j * params.cols + c]), unpacked(Q[i * params.cols + c])); }
  }
  return inUnits(i, j, there, back);
}

// The same of four pairs. Pairs are sorted, so that most fours have one source, whose rows are unpacked once.
fn partsOf(e: u32, lane: u32) -> vec4f {
  let last = params.length - 1u;
  let i = sources[min(e, last)];
  if (sources[min(e + 1u, last)] != i || sources[min(e + 2u, last)] != i || sources[min(e + 3u, last)] != i) {
    return vec4f(partOf(e, lane), partOf(e + 1u, lane), partOf(e + 2u, lane), partOf(e + 3u, lane));
  }
  let j = vec4u(targets[min(e, last)], targets[min(e + 1u, last)], targets[min(e + 2u, last)], targets[min(e + 3u, last)]);
  var there = vec4f(0.0);
  var back = vec4f(0.0);
  for (var c = lane; c < params.cols; c += LANES) {
    let at = j * params.cols + c;
    let q0 = Q[at.x];
    let q1 = Q[at.y];
    let q2 = Q[at.z];
    let q3 = Q[at.w];
    let p = unpacked(P[i * params.cols + c]);
    if (SYMMETRIC == 1u) {
      let p0 = P[at.x];
      let p1 = P[at.y];
      let p2 = P[at.z];
      let p3 = P[at.w];
      let q = unpacked(Q[i * params.cols + c]);
      back += vec4f(product(unpacked(p0), q), product(unpacked(p1), q), product(unpacked(p2), q), product(unpacked(p3), q));
    }
    there += vec4f(product(p, unpacked(q0)), product(p, unpacked(q1)), product(p, unpacked(q2)), product(p, unpacked(q3)));
  }
  return vec4f(
    inUnits(i, j.x, there.x, back.x),
    inUnits(i, j.y, there.y, back.y),
    inUnits(i, j.z, there.z, back.z),
    inUnits(i, j.w, there.w, back.w),
  );
}

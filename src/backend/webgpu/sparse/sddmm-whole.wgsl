// For sddmm.wgsl: ⟨P_i, Q_j⟩, plus ⟨P_j, Q_i⟩ where SYMMETRIC is 1. Each row is multiplied by its number in `scale`:
// rows of P where LEFT is 1, rows of Q where RIGHT is 1. P and Q may each be in two windows, the second from row
// `split` on.
// requires: total(x)
// constants: T, LANES, LEFT, RIGHT, SYMMETRIC, WINDOWS
// params: length u32, cols u32, split u32
// reads: sources u32, targets u32, P T, Q T, restP T, restQ T, scale f32

// Factor of ⟨P_i, Q_j⟩.
fn factor(i: u32, j: u32) -> f32 {
  var product = 1.0;
  if (LEFT == 1u) { product *= scale[i]; }
  if (RIGHT == 1u) { product *= scale[j]; }
  return product;
}

fn rowP(i: u32, c: u32) -> T {
  if (WINDOWS == 2u && i >= params.split) { return restP[(i - params.split) * params.cols + c]; }
  return P[i * params.cols + c];
}

fn rowQ(i: u32, c: u32) -> T {
  if (WINDOWS == 2u && i >= params.split) { return restQ[(i - params.split) * params.cols + c]; }
  return Q[i * params.cols + c];
}

// This thread's part of the inner products of pair e; past the last pair, its part of the last pair again.
fn partOf(e: u32, lane: u32) -> f32 {
  let known = min(e, params.length - 1u);
  let i = sources[known];
  let j = targets[known];
  var there = T(0.0);
  var back = T(0.0);
  for (var c = lane; c < params.cols; c += LANES) {
    there += rowP(i, c) * rowQ(j, c);
    if (SYMMETRIC == 1u) { back += rowP(j, c) * rowQ(i, c); }
  }
  var part = factor(i, j) * total(there);
  if (SYMMETRIC == 1u) { part += factor(j, i) * total(back); }
  return part;
}

// The number of a node pair among all pairs of n nodes, as in graph/pair-index.ts: exact, with floats for guesses.
// uses: u64

// Pairs in the last r rows of an upper triangle.
fn triangle(r: u32) -> vec2u {
  if ((r & 1u) == 0u) { return mulWide(r >> 1u, r + 1u); }
  return mulWide(r, (r + 1u) >> 1u);
}

fn pairCount(n: u32, directed: u32) -> vec2u {
  if (directed == 1u) { return mulWide(n, n - 1u); }
  return triangle(n - 1u);
}

fn pairIndex(n: u32, directed: u32, i: u32, j: u32) -> vec2u {
  if (directed == 1u) { return add64(mulWide(i, n - 1u), vec2u(select(j, j - 1u, j > i), 0u)); }
  return add64(sub64(pairCount(n, 0u), triangle(n - 1u - i)), vec2u(j - i - 1u, 0u));
}

// Length r of the row of the pair from which on `left` pairs remain: the smallest r with r (r + 1) / 2 ≥ left.
fn rowLength(left: vec2u) -> u32 {
  var r = max(1u, u32(sqrt(2.0 * approximate(left))));
  let guess = triangle(r); // the root of an f32 is off by a few in 10^8: after one exact correction r is within one
  if (less64(guess, left)) { r += u32(approximate(sub64(left, guess)) / f32(r)); }
  else { r -= min(r - 1u, u32(approximate(sub64(guess, left)) / f32(r))); }
  while (less64(triangle(r), left)) { r++; }
  while (!less64(triangle(r - 1u), left)) { r--; }
  return r;
}

// index / divisor for quotients below 2^32.
fn quotient(index: vec2u, divisor: u32) -> u32 {
  var q = u32(min(approximate(index) / f32(divisor), 4294967040.0));
  for (var round = 0u; round < 2u; round++) {
    let product = mulWide(q, divisor);
    if (less64(index, product)) { q -= min(q, u32(approximate(sub64(product, index)) / f32(divisor))); }
    else { q += u32(approximate(sub64(index, product)) / f32(divisor)); }
  }
  while (less64(index, mulWide(q, divisor))) { q--; }
  while (!less64(sub64(index, mulWide(q, divisor)), vec2u(divisor, 0u))) { q++; }
  return q;
}

// The pair (i, j) that has this index.
fn pairAt(n: u32, directed: u32, index: vec2u) -> vec2u {
  if (directed == 1u) {
    let i = quotient(index, n - 1u);
    let place = sub64(index, mulWide(i, n - 1u)).x;
    return vec2u(i, select(place + 1u, place, place < i));
  }
  let left = sub64(pairCount(n, 0u), index);
  let length = rowLength(left);
  let i = n - 1u - length;
  return vec2u(i, i + 1u + sub64(triangle(length), left).x);
}

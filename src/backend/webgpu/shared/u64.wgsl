// Unsigned 64-bit integers as (low, high) words.
fn add64(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn sub64(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn less64(a: vec2u, b: vec2u) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// The full product of two words, from their 16-bit halves: no sum overflows 32 bits.
fn mulWide(a: u32, b: u32) -> vec2u {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let middle = a1 * b0 + ((a0 * b0) >> 16u);
  let carry = a0 * b1 + (middle & 0xffffu);
  return vec2u(a * b, a1 * b1 + (middle >> 16u) + (carry >> 16u));
}

// The lower half of the product.
fn mul64(a: vec2u, b: vec2u) -> vec2u {
  let low = mulWide(a.x, b.x);
  return vec2u(low.x, low.y + a.x * b.y + a.y * b.x);
}

// The upper half of the 128-bit product.
fn mulHigh64(a: vec2u, b: vec2u) -> vec2u {
  let middle = add64(mulWide(a.y, b.x), vec2u(mulWide(a.x, b.x).y, 0u));
  let carry = add64(mulWide(a.x, b.y), vec2u(middle.x, 0u));
  return add64(add64(mulWide(a.y, b.y), vec2u(middle.y, 0u)), vec2u(carry.y, 0u));
}

// The value as a float, off by up to two units in the last place: a first guess, never a result.
fn approximate(a: vec2u) -> f32 {
  return f32(a.y) * 4294967296.0 + f32(a.x);
}

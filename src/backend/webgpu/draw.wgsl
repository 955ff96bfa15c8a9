// Draw t: the 64-bit word of Philox counter t, mapped to 0 … width − 1 by the upper half of the product.
fn drawBelow(t: u32, key: vec2u, width: vec2u) -> vec2u {
  return mulHigh64(philox(key, vec2u(t, 0u)).xy, width);
}

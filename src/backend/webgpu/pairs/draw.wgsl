// Draw t, a number in 0 … width − 1: the upper half of the product of `width` and random bits, one word of them for
// widths up to 65536, else two.
// uses: philox, u64

fn drawBelow(t: u32, key: vec2u, width: vec2u) -> vec2u {
  if (width.y == 0u && width.x <= 65536u) {
    return vec2u(mulWide(philox(key, vec2u(t >> 2u, 0u))[t & 3u], width.x).y, 0u);
  }
  return mulHigh64(philox(key, vec2u(t, 0u)).xy, width);
}

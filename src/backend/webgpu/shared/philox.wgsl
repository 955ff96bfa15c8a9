// Philox 4x32-10 (Salmon et al. 2011), as in core/philox.ts: the four random words of a counter.
// uses: u64

fn philox(key: vec2u, counter: vec2u) -> vec4u {
  var c = vec4u(counter, 0u, 0u);
  var k = key;
  for (var round = 0u; round < 10u; round++) {
    let p0 = mulWide(0xd2511f53u, c.x);
    let p1 = mulWide(0xcd9e8d57u, c.z);
    c = vec4u(p1.y ^ c.y ^ k.x, p1.x, p0.y ^ c.w ^ k.y, p0.x);
    k += vec2u(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}

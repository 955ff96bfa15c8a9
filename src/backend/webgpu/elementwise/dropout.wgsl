// Inverted dropout of max(X, floor): half e & 1 of word (e >> 1) & 3 of counter e >> 3 decides element e. A thread per counter.
// uses: philox, threads
// params: length u32, firstCounter u32, threshold u32, scale f32, floor f32, keyLow u32, keyHigh u32
// writes: out f32
// reads: X f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (8u * t >= params.length) { return; }
  let words = philox(vec2u(params.keyLow, params.keyHigh), vec2u(params.firstCounter + t, 0u));
  for (var w = 0u; w < 8u; w++) {
    let e = 8u * t + w;
    let half = (words[w >> 1u] >> (16u * (w & 1u))) & 0xffffu;
    if (e < params.length) { out[e] = select(0.0, max(X[e], params.floor) * params.scale, half >= params.threshold); }
  }
}

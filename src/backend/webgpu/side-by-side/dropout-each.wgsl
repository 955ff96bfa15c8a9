// Inverted dropout of max(X, floor) for models side by side: element (i, c) of model g gets the random bits of element
// e = i·width + c in dropout.wgsl with key g. A thread per TOGETHER elements: 8, all of one counter, where the width is
// a multiple of 8, else 1.
// uses: philox, threads
// constants: TOGETHER
// params: begin u32, length u32, width u32, models u32, firstKey u32, threshold u32, scale f32, floor f32
// writes: out f32
// reads: X f32, keys u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let first = TOGETHER * threadIndex(group, local);
  if (first >= params.length) { return; }
  let place = params.begin + first; // of the first element in the whole matrix
  let block = place / params.width; // a row of one model
  let key = params.firstKey + 2u * (block % params.models);
  let alone = (block / params.models) * params.width + place % params.width; // its place in the matrix of the model alone
  let words = philox(vec2u(keys[key], keys[key + 1u]), vec2u(alone >> 3u, 0u));
  for (var w = 0u; w < TOGETHER; w++) {
    let e = first + w;
    let bit = (alone + w) & 7u;
    let half = (words[bit >> 1u] >> (16u * (bit & 1u))) & 0xffffu;
    if (e < params.length) { out[e] = select(0.0, max(X[e], params.floor) * params.scale, half >= params.threshold); }
  }
}

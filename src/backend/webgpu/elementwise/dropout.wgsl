// Inverted dropout of max(X, floor): half e & 1 of word (e >> 1) & 3 of counter e >> 3 decides element e. A thread per counter.
struct Params { length: u32, firstCounter: u32, threshold: u32, scale: f32, floor: f32, keyLow: u32, keyHigh: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> X: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let t = threadIndex(group, groups, local);
  if (8u * t >= params.length) { return; }
  let words = philox(vec2u(params.keyLow, params.keyHigh), vec2u(params.firstCounter + t, 0u));
  for (var w = 0u; w < 8u; w++) {
    let e = 8u * t + w;
    let half = (words[w >> 1u] >> (16u * (w & 1u))) & 0xffffu;
    if (e < params.length) { out[e] = select(0.0, max(X[e], params.floor) * params.scale, half >= params.threshold); }
  }
}

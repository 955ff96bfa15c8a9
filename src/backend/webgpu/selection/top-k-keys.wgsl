// Keys that sort the selected positions by descending value, the lower position first on ties; then those positions.
struct Params { count: u32, size: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> keys: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> positions: array<u32>;
@group(0) @binding(3) var<storage, read> X: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn make(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let t = threadIndex(group, groups, local);
  if (t >= params.size) { return; }
  var key = vec2u(0xffffffffu);
  if (t < params.count) {
    let e = positions[t];
    key = vec2u(e, ~orderKey(X[e]));
  }
  keys[t] = key;
}

@compute @workgroup_size(WORKGROUP)
fn take(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let t = threadIndex(group, groups, local);
  if (t < params.count) { positions[t] = keys[t].x; }
}

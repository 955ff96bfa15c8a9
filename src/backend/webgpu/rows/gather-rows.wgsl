// out_t = X_{index_t}, whole rows; T is u32, vec2u or vec4u (bits are bits), cols counts in T. Behind the last entry of a sparse matrix
// that the device has made, indices are whatever was in its memory before: they read the last row.
struct Params { length: u32, cols: u32, last: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> X: array<T>;
@group(0) @binding(3) var<storage, read> index: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length * params.cols) { return; }
  let row = min(index[e / params.cols], params.last);
  out[e] = X[row * params.cols + e % params.cols];
}

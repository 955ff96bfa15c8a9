// out_ic = scale_c · X_ic + shift_c; HAS_SCALE and HAS_SHIFT say which there are. T is f32 or vec4f; cols counts in T.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> X: array<T>;
@group(0) @binding(3) var<storage, read> scale: array<T>;
@group(0) @binding(4) var<storage, read> shift: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.rows * params.cols) { return; }
  let c = e % params.cols;
  var y = X[e];
  if (HAS_SCALE == 1u) { y *= scale[c]; }
  if (HAS_SHIFT == 1u) { y += shift[c]; }
  out[e] = y;
}

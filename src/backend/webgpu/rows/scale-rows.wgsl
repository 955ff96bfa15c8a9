// out_ic = scale_i · X_ic, added to out where ACCUMULATE is 1. T is f32 or vec4f; cols counts in T.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> X: array<T>;
@group(0) @binding(3) var<storage, read> scale: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.rows * params.cols) { return; }
  var y = scale[e / params.cols] * X[e];
  if (ACCUMULATE == 1u) { y += out[e]; }
  out[e] = y;
}

// out = a·A + b·B + c, or a·A + c where HAS_B is 0. T is f32 or vec4f.
struct Params { length: u32, a: f32, b: f32, c: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> A: array<T>;
@group(0) @binding(3) var<storage, read> B: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  var y = params.a * A[e] + T(params.c);
  if (HAS_B == 1u) { y += params.b * B[e]; }
  out[e] = y;
}

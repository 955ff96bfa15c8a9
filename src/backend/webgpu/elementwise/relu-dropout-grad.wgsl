// dX = scale · dY where Y > 0, else 0.
struct Params { length: u32, scale: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dX: array<f32>;
@group(0) @binding(2) var<storage, read> dY: array<f32>;
@group(0) @binding(3) var<storage, read> Y: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e < params.length) { dX[e] = select(0.0, params.scale * dY[e], Y[e] > 0.0); }
}

// dX = dY · f'(X), given Y = f(X).
struct Params { length: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dX: array<T>;
@group(0) @binding(2) var<storage, read> dY: array<T>;
@group(0) @binding(3) var<storage, read> X: array<T>;
@group(0) @binding(4) var<storage, read> Y: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e < params.length) { dX[e] = dY[e] * slopeOf(X[e], Y[e]); }
}

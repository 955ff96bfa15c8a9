// Up to three copies, if the flag is above 0; else all stays as it was. T is u32 or vec4u.
struct Params { firstLength: u32, secondLength: u32, thirdLength: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chosen: array<f32>;
@group(0) @binding(2) var<storage, read_write> firstTo: array<T>;
@group(0) @binding(3) var<storage, read> firstFrom: array<T>;
@group(0) @binding(4) var<storage, read_write> secondTo: array<T>;
@group(0) @binding(5) var<storage, read> secondFrom: array<T>;
@group(0) @binding(6) var<storage, read_write> thirdTo: array<T>;
@group(0) @binding(7) var<storage, read> thirdFrom: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  if (!(chosen[0] > 0.0)) { return; }
  let e = threadIndex(group, groups, local);
  if (e < params.firstLength) { firstTo[e] = firstFrom[e]; }
  if (e < params.secondLength) { secondTo[e] = secondFrom[e]; }
  if (e < params.thirdLength) { thirdTo[e] = thirdFrom[e]; }
}

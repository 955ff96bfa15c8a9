// out_e = x_i (ENDS 1), x_j (2) or x_i + x_j (3) of pair e = (i, j), added to out where ACCUMULATE is 1, times sign_e where SIGNED is 1.
struct Params { length: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> sources: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read> signs: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  var sum = 0.0;
  if (ACCUMULATE == 1u) { sum = out[e]; }
  if ((ENDS & 1u) != 0u) { sum += x[sources[e]]; }
  if ((ENDS & 2u) != 0u) { sum += x[targets[e]]; }
  if (SIGNED == 1u) { sum *= signs[e]; }
  out[e] = sum;
}

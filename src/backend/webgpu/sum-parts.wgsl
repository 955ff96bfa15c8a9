// out_e = Σ_p parts_pe in the order of p, added to out where ACCUMULATE is 1.
struct Params { length: u32, numParts: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> parts: array<f32>;

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
  for (var p = 0u; p < params.numParts; p++) { sum += parts[p * params.length + e]; }
  out[e] = sum;
}

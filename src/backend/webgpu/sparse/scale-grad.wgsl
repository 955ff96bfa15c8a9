// out_i = (dots_i + Σ_p parts_pi) / scale_i, added to out where ACCUMULATE is 1.
struct Params { rows: u32, numParts: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> dots: array<f32>;
@group(0) @binding(3) var<storage, read> parts: array<f32>;
@group(0) @binding(4) var<storage, read> scale: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = threadIndex(group, groups, local);
  if (i >= params.rows) { return; }
  var sum = dots[i];
  for (var p = 0u; p < params.numParts; p++) { sum += parts[p * params.rows + i]; }
  sum /= scale[i];
  if (ACCUMULATE == 1u) { sum += out[i]; }
  out[i] = sum;
}

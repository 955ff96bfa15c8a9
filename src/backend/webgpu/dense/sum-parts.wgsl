// out_e = finish(Σ_p parts_pe) in the order of p, added to out first if wanted; rows have `cols` elements.
struct Params { length: u32, numParts: u32, cols: u32, finish: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> parts: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;

// What happens to a sum before it is stored, in this order.
const ADDED = 1u;
const BIASED = 2u;
const RELU = 4u;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  var sum = 0.0;
  if ((params.finish & ADDED) != 0u) { sum = out[e]; }
  for (var p = 0u; p < params.numParts; p++) { sum += parts[p * params.length + e]; }
  if ((params.finish & BIASED) != 0u) { sum += bias[e % params.cols]; }
  if ((params.finish & RELU) != 0u) { sum = max(sum, 0.0); }
  out[e] = sum;
}

// The entries of A, all of them 1, and of B, row after row: column j and the weight times scale_j, as bits. LANES threads per row.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> merged: array<vec2u>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> pairPtr: array<u32>;
@group(0) @binding(5) var<storage, read> pairIdx: array<u32>;
@group(0) @binding(6) var<storage, read> pairValues: array<f32>;
@group(0) @binding(7) var<storage, read> scale: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  if (row >= params.rows) { return; }
  let lane = local % LANES;
  let first = rowPtr[row];
  let last = rowPtr[row + 1u];
  let firstPair = pairPtr[row];
  let lastPair = pairPtr[row + 1u];
  for (var e = first + lane; e < last; e += LANES) {
    let j = colIdx[e];
    merged[firstPair + e] = vec2u(j, bitcast<u32>(scale[j]));
  }
  for (var e = firstPair + lane; e < lastPair; e += LANES) {
    let j = pairIdx[e];
    merged[last + e] = vec2u(j, bitcast<u32>(pairValues[e] * scale[j]));
  }
}

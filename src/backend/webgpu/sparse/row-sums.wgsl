// out_i = Σ_j S_ij, the number of entries where VALUED is 0, added to out where ACCUMULATE is 1. LANES threads per row.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> entryValues: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  var sum = 0.0;
  if (row < params.rows) {
    let first = rowPtr[row];
    let last = rowPtr[row + 1u];
    if (VALUED == 0u) {
      sum = select(0.0, f32(last - first), lane == 0u);
    } else {
      for (var e = first + lane; e < last; e += LANES) { sum += entryValues[e]; }
    }
  }
  sum = sumLanes(sum, local);
  if (row < params.rows && lane == 0u) {
    if (ACCUMULATE == 1u) { out[row] += sum; } else { out[row] = sum; }
  }
}

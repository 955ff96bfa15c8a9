// out_i = f(1 + the entries of row i of A + the sum of those of B): 1 / √x where ROOT is 1, else 1 / x. LANES threads per row.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> pairPtr: array<u32>;
@group(0) @binding(4) var<storage, read> pairValues: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  var sum = 0.0;
  if (HAS_PAIRS == 1u && row < params.rows) {
    let last = pairPtr[row + 1u];
    for (var e = pairPtr[row] + lane; e < last; e += LANES) { sum += pairValues[e]; }
  }
  sum = sumLanes(sum, local);
  if (row >= params.rows || lane > 0u) { return; }
  let degree = 1.0 + f32(rowPtr[row + 1u] - rowPtr[row]) + sum;
  let inverse = select(1.0 / degree, 1.0 / sqrt(degree), ROOT == 1u);
  out[row] = select(inverse, 0.0, degree == 0.0);
}

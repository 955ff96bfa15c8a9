// Column of the largest entry of each row, the first on ties; column exclude_i is passed over where EXCLUDE is 1.
struct Params { rows: u32, cols: u32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<i32>;
@group(0) @binding(2) var<storage, read> X: array<f32>;
@group(0) @binding(3) var<storage, read> exclude: array<u32>;

const NONE = 0xffffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  var best = params.lowest;
  var column = NONE;
  if (row < params.rows) {
    var skipped = NONE;
    if (EXCLUDE == 1u) { skipped = exclude[row]; }
    for (var c = lane; c < params.cols; c += LANES) {
      let x = X[row * params.cols + c];
      if (c != skipped && (column == NONE || x > best)) {
        best = x;
        column = c;
      }
    }
  }
  let top = maxLanes(best, local);
  let first = minLanes(select(NONE, column, best == top), local);
  if (row < params.rows && lane == 0u) { out[row] = bitcast<i32>(first); } // NONE is −1
}

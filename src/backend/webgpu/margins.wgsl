// out_t = X_{t, column_t} − X_{t, rival_t}: the largest other entry of the row, the first on ties, is the rival.
struct Params { rows: u32, cols: u32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read_write> rivals: array<u32>;
@group(0) @binding(3) var<storage, read> X: array<f32>;
@group(0) @binding(4) var<storage, read> column: array<u32>;

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
  var rival = NONE;
  var own = 0u;
  if (row < params.rows) {
    own = column[row];
    for (var c = lane; c < params.cols; c += LANES) {
      let x = X[row * params.cols + c];
      if (c != own && (rival == NONE || x > best)) {
        best = x;
        rival = c;
      }
    }
  }
  let top = maxLanes(best, local);
  let first = minLanes(select(NONE, rival, best == top), local);
  if (row < params.rows && lane == 0u) {
    out[row] = X[row * params.cols + own] - top;
    rivals[row] = first;
  }
}

// out_t = X_{t, column_t} − X_{t, rival_t}: the largest other entry of the row, the first on ties, is the rival. Where TANH is 1,
// the tanh of that, and for each workgroup their sum and the number of rows of which the column's entry is the largest, the first
// on ties, in `sums`.
struct Params { rows: u32, cols: u32, lowest: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read_write> rivals: array<u32>;
@group(0) @binding(3) var<storage, read> X: array<f32>;
@group(0) @binding(4) var<storage, read> column: array<u32>;
@group(0) @binding(5) var<storage, read_write> sums: array<vec2f>;

const NONE = 0xffffffffu;
const ROWS = WORKGROUP / LANES;
var<workgroup> shares: array<vec2f, ROWS>;

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
  var share = vec2f(0.0);
  if (row < params.rows && lane == 0u) {
    var margin = X[row * params.cols + own] - top;
    if (TANH == 1u) {
      let isRight = margin > 0.0 || (margin == 0.0 && own < first);
      margin = tanhOf(margin);
      share = vec2f(margin, select(0.0, 1.0, isRight));
    }
    out[row] = margin;
    rivals[row] = first;
  }
  if (TANH == 0u) { return; }
  if (lane == 0u) { shares[local / LANES] = share; }
  workgroupBarrier();
  if (local > 0u || row >= params.rows) { return; }
  var sum = vec2f(0.0);
  for (var r = 0u; r < ROWS; r++) { sum += shares[r]; }
  sums[row / ROWS] = sum;
}

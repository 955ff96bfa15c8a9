// dX_tc = x_t at column_t, −x_t at rival_t, else 0. Where TANH is 1, d_0 · factor · (1 − x_t²) in the place of x_t.
struct Params { rows: u32, cols: u32, factor: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dX: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read> column: array<u32>;
@group(0) @binding(4) var<storage, read> rivals: array<u32>;

@group(0) @binding(5) var<storage, read> d: array<f32>;

fn slopeOf(row: u32) -> f32 {
  if (TANH == 1u) { return d[0] * params.factor * (1.0 - x[row] * x[row]); }
  return x[row];
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.rows * params.cols) { return; }
  let row = e / params.cols;
  let c = e % params.cols;
  var y = 0.0;
  if (c == column[row]) { y = slopeOf(row); } else if (c == rivals[row]) { y = -slopeOf(row); }
  dX[e] = y;
}

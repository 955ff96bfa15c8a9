// What entry e of row i adds to row j of dX: direct_e dY_i + Σ_l (t_e a_l + t_l a_e) (x_j − x_l) / ‖x_j − x_l‖, equal points 0.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> terms: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> entryValues: array<f32>;
@group(0) @binding(5) var<storage, read> towards: array<f32>;
@group(0) @binding(6) var<storage, read> direct: array<f32>;
@group(0) @binding(7) var<storage, read> X: array<f32>;
@group(0) @binding(8) var<storage, read> dY: array<f32>;

fn weightOf(e: u32) -> f32 {
  if (VALUED == 1u) { return entryValues[e]; }
  return 1.0;
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  let lane = local % LANES;
  var first = 0u;
  var last = 0u;
  if (row < params.rows) {
    first = rowPtr[row];
    last = rowPtr[row + 1u];
  }
  for (var e = first + lane; e < last; e += LANES) {
    let j = colIdx[e];
    for (var c = 0u; c < params.cols; c++) { terms[e * params.cols + c] = direct[e] * dY[row * params.cols + c]; }
    for (var l = first; l < last; l++) {
      let other = colIdx[l];
      var square = 0.0;
      for (var c = 0u; c < params.cols; c++) {
        let d = X[j * params.cols + c] - X[other * params.cols + c];
        square += d * d;
      }
      if (square == 0.0) { continue; }
      let strength = (towards[e] * weightOf(l) + towards[l] * weightOf(e)) / sqrt(square);
      for (var c = 0u; c < params.cols; c++) {
        terms[e * params.cols + c] += strength * (X[j * params.cols + c] - X[other * params.cols + c]);
      }
    }
  }
}

// medianGrad_ic = −Σ_e pull_e (x_jc − m_ic) over the entries of row i, the terms being (direct, pull). T is f32
// or vec4f; cols counts in T.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> medianGrad: array<T>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> terms: array<vec2f>;
@group(0) @binding(5) var<storage, read> X: array<T>;
@group(0) @binding(6) var<storage, read> median: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = threadIndex(group, groups, local);
  if (at >= params.rows * params.cols) { return; }
  let row = at / params.cols;
  let c = at % params.cols;
  let m = median[at];
  var sum = T(0.0);
  for (var e = rowPtr[row]; e < rowPtr[row + 1u]; e++) {
    let x = X[colIdx[e] * params.cols + c];
    sum -= terms[e].y * (x - m);
  }
  medianGrad[at] = sum;
}

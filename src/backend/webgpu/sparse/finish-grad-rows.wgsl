// As finish-grad.wgsl, for a matrix Y of some rows: row i of dZ is the sum over the entries t of row i of a matrix of ones, 0 if it
// has none, and dots_i the sum of their inner products. LANES threads per row; T is f32 or vec4f, cols counts in T.
struct Params { rows: u32, cols: u32, finish: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dZ: array<T>;
@group(0) @binding(2) var<storage, read_write> dots: array<f32>;
@group(0) @binding(3) var<storage, read> dY: array<T>;
@group(0) @binding(4) var<storage, read> Y: array<T>;
@group(0) @binding(5) var<storage, read> bias: array<T>;
@group(0) @binding(6) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(7) var<storage, read> colIdx: array<u32>;

const BIASED = 2u;
const RELU = 4u;

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
    for (var c = lane; c < params.cols; c += LANES) {
      var added = T(0.0);
      for (var e = first; e < last; e++) {
        let at = colIdx[e] * params.cols + c;
        let y = Y[at];
        var z = y;
        if ((params.finish & BIASED) != 0u) { z -= bias[c]; }
        var gradient = dY[at];
        if ((params.finish & RELU) != 0u) { gradient = select(T(0.0), gradient, y > T(0.0)); }
        added += gradient;
        sum += total(gradient * z);
      }
      dZ[row * params.cols + c] = added;
    }
  }
  sum = sumLanes(sum, local);
  if (row < params.rows && lane == 0u) { dots[row] = sum; }
}

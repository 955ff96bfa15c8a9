// As finish-grad.wgsl where Y has only some rows: row i of a sparse matrix of ones lists the rows t of Y that belong to
// node i. Row i of dZ is the sum of their gradients, 0 if there are none, and dots_i the sum of their inner products.
// LANES threads per row; T is f32 or vec4f, cols counts in T.
// uses: finish-flags, row-lanes, threads
// requires: sumLanes(x, local), total(x)
// constants: T, LANES
// params: finish u32, rows u32, cols u32
// writes: dZ T, dots f32
// reads: dY T, Y T, bias T, rowPtr u32, colIdx u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  let row = share.row;
  var sum = 0.0;
  if (row < params.rows) {
    let first = rowPtr[row];
    let last = rowPtr[row + 1u];
    for (var c = share.begin; c < share.end; c += LANES) {
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
  if (share.leads) { dots[row] = sum; }
}

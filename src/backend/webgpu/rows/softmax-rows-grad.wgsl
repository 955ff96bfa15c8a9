// Gradient of softmax, Y_i ∘ (dY_i − ⟨dY_i, Y_i⟩), or of its logarithm, dY_i − exp(Y_i)·Σ dY_i, where LOG is 1. LANES threads
// per row.
// uses: row-lanes, threads
// requires: sumLanes(x, local)
// constants: LANES, LOG
// params: cols u32
// writes: dX f32
// reads: dY f32, Y f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  let first = share.row * params.cols;
  var sum = 0.0;
  for (var c = share.begin; c < share.end; c += LANES) {
    if (LOG == 1u) { sum += dY[first + c]; } else { sum += dY[first + c] * Y[first + c]; }
  }
  sum = sumLanes(sum, local);
  for (var c = share.begin; c < share.end; c += LANES) {
    let e = first + c;
    if (LOG == 1u) { dX[e] = dY[e] - exp(Y[e]) * sum; } else { dX[e] = Y[e] * (dY[e] - sum); }
  }
}

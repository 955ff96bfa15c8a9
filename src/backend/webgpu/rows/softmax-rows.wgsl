// Softmax of each row, or its logarithm where LOG is 1. LANES threads per row.
// uses: row-lanes, threads
// requires: maxLanes(x, local), sumLanes(x, local)
// constants: LANES, LOG
// params: lowest f32, cols u32
// writes: out f32
// reads: X f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  let first = share.row * params.cols;
  var top = params.lowest;
  for (var c = share.begin; c < share.end; c += LANES) { top = max(top, X[first + c]); }
  top = maxLanes(top, local);
  var sum = 0.0;
  for (var c = share.begin; c < share.end; c += LANES) { sum += exp(X[first + c] - top); }
  sum = sumLanes(sum, local);
  let logSum = log(sum);
  for (var c = share.begin; c < share.end; c += LANES) {
    let shifted = X[first + c] - top;
    if (LOG == 1u) { out[first + c] = shifted - logSum; } else { out[first + c] = exp(shifted) / sum; }
  }
}

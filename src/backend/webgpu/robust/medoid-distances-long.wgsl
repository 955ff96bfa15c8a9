// The same as medoid-distances.wgsl for rows of more than MOST entries, by LANES threads each.
// uses: entry-lanes, entry-weight, threads
// constants: LANES, MOST
// params: cols u32
// writes: distances f32
// reads: colIdx u32, X f32

fn apart(i: u32, j: u32) -> f32 {
  var sum = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let d = X[i * params.cols + c] - X[j * params.cols + c];
    sum += d * d;
  }
  return sqrt(sum);
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  if (entries.end - entries.first <= MOST) { return; }
  for (var e = entries.begin; e < entries.end; e += LANES) {
    var delta = 0.0;
    for (var l = entries.first; l < entries.end; l++) { delta += weightOf(l) * apart(colIdx[e], colIdx[l]); }
    distances[e] = delta;
  }
}

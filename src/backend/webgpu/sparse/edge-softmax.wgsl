// Softmax over the entries of each sparse row. LANES threads per row.
// uses: entry-lanes, threads
// requires: maxLanes(x, local), sumLanes(x, local)
// constants: LANES
// params: lowest f32
// writes: out f32
// reads: x f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let entries = entryShare(group, local);
  var top = params.lowest;
  for (var e = entries.begin; e < entries.end; e += LANES) { top = max(top, x[e]); }
  top = maxLanes(top, local);
  var sum = 0.0;
  for (var e = entries.begin; e < entries.end; e += LANES) { sum += exp(x[e] - top); }
  sum = sumLanes(sum, local);
  for (var e = entries.begin; e < entries.end; e += LANES) { out[e] = exp(x[e] - top) / sum; }
}

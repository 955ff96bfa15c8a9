// out_e = −1 if a matrix, whose rows are sorted, has the entry (source_e, target_e), else +1; times the old out_e if
// `turn` is 1.
// uses: threads
// params: length u32, turn u32
// writes: out f32
// reads: sources u32, targets u32, rowPtr u32, colIdx u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  let row = sources[e];
  let column = targets[e];
  var low = rowPtr[row];
  let last = rowPtr[row + 1u];
  var high = last;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (colIdx[middle] < column) { low = middle + 1u; } else { high = middle; }
  }
  var found = false;
  if (low < last) { found = colIdx[low] == column; }
  let old = select(1.0, out[e], params.turn == 1u);
  out[e] = select(old, -old, found);
}

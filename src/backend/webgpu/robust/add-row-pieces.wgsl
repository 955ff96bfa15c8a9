// Adds the sums of the further pieces of long rows (long-row.wgsl) to their rows, in the order of the pieces.
// uses: long-row, threads
// params: cols u32
// writes: out f32
// reads: partial f32, pieces u32, rowPtr u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= pieces[0] * params.cols) { return; }
  let listed = 2u * (e / params.cols + 1u);
  if (pieces[listed + 1u] != 1u) { return; }
  let i = pieces[listed];
  let count = numPieces(rowPtr[i + 1u] - rowPtr[i]);
  let at = i * params.cols + e % params.cols;
  var sum = out[at];
  for (var number = 1u; number < count; number++) { sum += partial[e + (number - 1u) * params.cols]; }
  out[at] = sum;
}

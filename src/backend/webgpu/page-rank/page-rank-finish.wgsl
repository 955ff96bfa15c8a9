// Columns of PageRank from an iterate: out_{row, begin + c} = scale · X_{row, c} / √deg_row, for rows from `firstRow`
// on. A row of X has `cols` numbers, of which the first `width` are used.
// uses: threads
// params: length u32, cols u32, width u32, begin u32, numNodes u32, firstRow u32, scale f32
// writes: out f32
// reads: X f32, degrees f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  let row = e / params.width;
  let node = params.firstRow + row;
  let c = e % params.width;
  out[row * params.numNodes + params.begin + c] = params.scale / sqrt(degrees[node]) * X[node * params.cols + c];
}

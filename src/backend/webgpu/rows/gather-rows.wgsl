// out_t = X_{index_t}, whole rows; T is u32, vec2u or vec4u (elements are copied as bits), cols counts in T. Past the
// last entry of a sparse matrix made on the device, indices are old contents of its memory: those out of range read the
// last row.
// uses: threads
// constants: T
// params: length u32, cols u32, last u32
// writes: out T
// reads: X T, index u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length * params.cols) { return; }
  let row = min(index[e / params.cols], params.last);
  out[e] = X[row * params.cols + e % params.cols];
}

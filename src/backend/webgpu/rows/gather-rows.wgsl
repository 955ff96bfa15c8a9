// out_t = X_{index_t}, whole rows; T is u32, vec2u or vec4u (bits are bits), cols counts in T. Behind the last entry of a sparse
// matrix that the device has made, indices are whatever was in its memory before: they read the last row.
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

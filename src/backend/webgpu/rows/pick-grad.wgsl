// out_{t, column_t} += x_t.
// uses: threads
// params: length u32, cols u32
// writes: out f32
// reads: x f32, column u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t < params.length) { out[t * params.cols + column[t]] += x[t]; }
}

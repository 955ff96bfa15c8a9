// Copies columns of a matrix to columns of another: out_{i,toBegin+c} = source_{i,fromBegin+c}. Widths and columns are
// counted in T (f32 or vec4f).
// uses: threads
// constants: T
// params: rows u32, cols u32, toCols u32, toBegin u32, fromCols u32, fromBegin u32
// writes: out T
// reads: source T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  let i = e / params.cols;
  if (i >= params.rows) { return; }
  let c = e % params.cols;
  out[i * params.toCols + params.toBegin + c] = source[i * params.fromCols + params.fromBegin + c];
}

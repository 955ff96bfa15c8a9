// out_g = A_g·op(B_g) for models side by side: row r of A, cut into rows of k, belongs to model r % models. B has a block [k, n] per
// model, or [n, k] with TRANS_B. A thread per element of the result: k is small, and neighbours share what they read.
// uses: threads
// constants: TRANS_B
// params: models u32, rows u32, n u32, k u32
// writes: out f32
// reads: A f32, B f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  let r = e / params.n;
  if (r >= params.rows * params.models) { return; }
  let c = e % params.n;
  let block = (r % params.models) * params.n * params.k;
  let first = block + select(c, c * params.k, TRANS_B == 1u);
  let step = select(params.n, 1u, TRANS_B == 1u);
  var sum = 0.0;
  for (var l = 0u; l < params.k; l++) { sum = fma(A[r * params.k + l], B[first + l * step], sum); }
  out[e] = sum;
}

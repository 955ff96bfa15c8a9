// A_gᵀ·dY_g for models side by side: the [k, n] results of the models one after the other. The rows are split into
// parts, each of which has its own results. A thread per element of a result.
// uses: threads
// params: models u32, rows u32, n u32, k u32, rowsPerPart u32, numParts u32
// writes: parts f32
// reads: A f32, dY f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  let size = params.models * params.k * params.n;
  let part = t / size;
  if (part >= params.numParts) { return; }
  let e = t % size;
  let g = e / (params.k * params.n);
  let l = (e / params.n) % params.k;
  let c = e % params.n;
  let end = min(params.rows, (part + 1u) * params.rowsPerPart);
  var sum = 0.0;
  for (var i = part * params.rowsPerPart; i < end; i++) {
    let r = i * params.models + g;
    sum = fma(A[r * params.k + l], dY[r * params.n + c], sum);
  }
  parts[t] = sum;
}

// Column sums of A ∘ B (or of A where HAS_B is 0), a part for each chunk of rows. A workgroup takes COLS columns of a
// chunk, sums them in WORKGROUP / COLS strands of rows, and adds up the strands in order.
// uses: threads
// constants: COLS, HAS_B
// params: rows u32, cols u32, chunkRows u32, colGroups u32, firstPart u32
// writes: parts f32
// reads: A f32, B f32

const STRANDS = WORKGROUP / COLS;
var<workgroup> sums: array<f32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let chunk = index / params.colGroups;
  let col = (index % params.colGroups) * COLS + local % COLS;
  let strand = local / COLS;
  let end = min(params.rows, (chunk + 1u) * params.chunkRows);
  var sum = 0.0;
  if (col < params.cols) {
    for (var i = chunk * params.chunkRows + strand; i < end; i += STRANDS) {
      let e = i * params.cols + col;
      if (HAS_B == 1u) { sum += A[e] * B[e]; } else { sum += A[e]; }
    }
  }
  sums[local] = sum;
  workgroupBarrier();
  if (strand == 0u && col < params.cols && chunk * params.chunkRows < max(params.rows, 1u)) {
    var total = 0.0;
    for (var s = 0u; s < STRANDS; s++) { total += sums[s * COLS + local]; }
    parts[(params.firstPart + chunk) * params.cols + col] = total;
  }
}

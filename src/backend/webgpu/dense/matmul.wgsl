// out = finish(op(A)·op(B)) by tiles of BM × BN, TM × TN of them (TN = 4 · QUADS) in each thread's registers; strips of
// the factors are in workgroup memory. TRANS_A, TRANS_B: the factor is stored transposed. MASKED: elements of A count
// only where the mask, of the same shape, is above 0. If k is split into parts, part p writes its own [m, n] result.
// uses: finish-flags, matmul-tile, threads
// constants: BM, BN, MASKED, QUADS, TM, TRANS_A, TRANS_B
// params: m u32, k u32, n u32, finish u32
// writes: out f32
// reads: A f32, B f32, bias f32, mask f32

const BK = 16u;
const QUADS_A = TM / 4u;
const THREADS_N = BN / (4u * QUADS);
const ROW_A = BM / 4u + 1u; // padded: threads that store one column of a tile hit different banks
const ROW_B = BN / 4u + 1u;
var<workgroup> tileA: array<vec4f, BK * ROW_A>;
var<workgroup> tileB: array<vec4f, BK * ROW_B>;

fn loadA(row: u32, l: u32, end: u32) -> f32 {
  if (row >= params.m || l >= end) { return 0.0; }
  if (TRANS_A == 1u) { return A[l * params.m + row]; }
  let e = row * params.k + l;
  if (MASKED == 1u && !(mask[e] > 0.0)) { return 0.0; }
  return A[e];
}

fn loadB(l: u32, col: u32, end: u32) -> f32 {
  if (col >= params.n || l >= end) { return 0.0; }
  if (TRANS_B == 1u) { return B[col * params.k + l]; }
  return B[l * params.n + col];
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let tile = tileOf(groupIndex(group));
  let y = local / THREADS_N;
  let x = local % THREADS_N;
  var sums: array<array<vec4f, QUADS>, TM>;

  for (var first = tile.begin; first < tile.end; first += BK) {
    for (var t = local; t < BM * BK; t += WORKGROUP) {
      // neighbouring threads read neighbouring words: along k, or along m where A is transposed
      let r = select(t / BK, t % BM, TRANS_A == 1u);
      let l = select(t % BK, t / BM, TRANS_A == 1u);
      tileA[l * ROW_A + r / 4u][r % 4u] = loadA(tile.top + r, first + l, tile.end);
    }
    for (var t = local; t < BN * BK; t += WORKGROUP) {
      let c = select(t % BN, t / BK, TRANS_B == 1u);
      let l = select(t / BN, t % BK, TRANS_B == 1u);
      tileB[l * ROW_B + c / 4u][c % 4u] = loadB(first + l, tile.left + c, tile.end);
    }
    workgroupBarrier();
    for (var l = 0u; l < BK; l++) {
      var b: array<vec4f, QUADS>;
      for (var q = 0u; q < QUADS; q++) { b[q] = tileB[l * ROW_B + q * THREADS_N + x]; }
      for (var p = 0u; p < QUADS_A; p++) {
        let a = tileA[l * ROW_A + y * QUADS_A + p];
        for (var q = 0u; q < QUADS; q++) {
          sums[4u * p][q] = fma(vec4f(a.x), b[q], sums[4u * p][q]);
          sums[4u * p + 1u][q] = fma(vec4f(a.y), b[q], sums[4u * p + 1u][q]);
          sums[4u * p + 2u][q] = fma(vec4f(a.z), b[q], sums[4u * p + 2u][q]);
          sums[4u * p + 3u][q] = fma(vec4f(a.w), b[q], sums[4u * p + 3u][q]);
        }
      }
    }
    workgroupBarrier();
  }

  for (var r = 0u; r < TM; r++) {
    let row = tile.top + y * TM + r;
    if (row >= params.m) { break; }
    for (var q = 0u; q < QUADS; q++) {
      for (var w = 0u; w < 4u; w++) {
        let col = tile.left + (q * THREADS_N + x) * 4u + w;
        if (col >= params.n) { continue; }
        let e = (tile.part * params.m + row) * params.n + col;
        var y = sums[r][q][w];
        if ((params.finish & ADDED) != 0u) { y += out[e]; }
        if ((params.finish & BIASED) != 0u) { y += bias[col]; }
        if ((params.finish & RELU) != 0u) { y = max(y, 0.0); }
        out[e] = y;
      }
    }
  }
}

// What matmul-halves.wgsl multiplies is the gradient of Y = finish(Z), and as wide as a tile: stores dZ, which is that gradient where Y > 0 or
// there is no relu, else 0, and dots_i = Σ_c dZ_ic · (Y_ic − bias_c).
// uses: finish-flags
// requires: BM, THREADS
// constants: SX
// params: m u32, n u32, finish u32
// writes: out vec4f, dots f32
// reads: Y vec4f, bias vec4f

const SLOTS = 2u * SX; // threads that share a row
var<workgroup> shares: array<f32, BM * SLOTS>;

fn finishFour(row: u32, col: u32, sum: vec4f) -> f32 {
  let at = (row * params.n + col) / 4u;
  let y = Y[at];
  var shift = vec4f(0.0);
  if ((params.finish & BIASED) != 0u) { shift = bias[col / 4u]; }
  let passes = (y > vec4f(0.0)) | vec4<bool>((params.finish & RELU) == 0u);
  let gradient = select(vec4f(0.0), sum, passes);
  out[at] = gradient;
  return dot(gradient, y - shift);
}

fn keepShare(y: u32, slot: u32, share: f32) { shares[y * SLOTS + slot] = share; }

fn finishRows(top: u32, local: u32) {
  workgroupBarrier();
  for (var y = local; y < BM; y += THREADS) {
    var sum = 0.0;
    for (var slot = 0u; slot < SLOTS; slot++) { sum += shares[y * SLOTS + slot]; }
    if (top + y < params.m) { dots[top + y] = sum; }
  }
}

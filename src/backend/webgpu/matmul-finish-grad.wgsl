// What matmul-wide.wgsl multiplies is the gradient of Y = finish(Z), and as wide as a tile: stores dZ, which is that gradient where
// Y > 0 or there is no relu, else 0, and dots_i = Σ_c dZ_ic · (Y_ic − bias_c). The threads of a row add up in workgroup memory.
@group(0) @binding(6) var<storage, read> Y: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> dots: array<f32>;

var<workgroup> shares: array<f32, BM * TX>;

// Stores four elements and returns what they add to the row's inner product.
fn store(row: u32, col: u32, sum: vec4f) -> f32 {
  if (row >= params.m || col >= params.n) { return 0.0; }
  let e = (row * params.n + col) / 4u;
  let y = Y[e];
  var z = y;
  if ((params.finish & BIASED) != 0u) { z -= bias[col / 4u]; }
  var gradient = sum;
  if ((params.finish & RELU) != 0u) { gradient = select(vec4f(0.0), sum, y > vec4f(0.0)); }
  out[e] = gradient;
  return dot(gradient, z);
}

fn storeRow(top: u32, row: u32, col: u32, x: u32, first: vec4f, second: vec4f) {
  var share = store(top + row, col, first);
  if (QUADS == 2u) { share += store(top + row, col + 4u * TX, second); }
  shares[row * TX + x] = share;
}

fn finishTile(top: u32, left: u32, part: u32, y: u32, x: u32, local: u32) {
  let row = 4u * y;
  let col = left + 4u * x;
  storeRow(top, row, col, x, sums[0], sums[1]);
  storeRow(top, row + 1u, col, x, sums[2], sums[3]);
  storeRow(top, row + 2u, col, x, sums[4], sums[5]);
  storeRow(top, row + 3u, col, x, sums[6], sums[7]);
  storeRow(top, row + 4u * TY, col, x, sums[8], sums[9]);
  storeRow(top, row + 4u * TY + 1u, col, x, sums[10], sums[11]);
  storeRow(top, row + 4u * TY + 2u, col, x, sums[12], sums[13]);
  storeRow(top, row + 4u * TY + 3u, col, x, sums[14], sums[15]);
  workgroupBarrier();
  for (var r = local; r < BM; r += THREADS) {
    var sum = 0.0;
    for (var t = 0u; t < TX; t++) { sum += shares[r * TX + (t + r) % TX]; } // rows begin in different banks
    if (top + r < params.m) { dots[top + r] = sum; }
  }
}

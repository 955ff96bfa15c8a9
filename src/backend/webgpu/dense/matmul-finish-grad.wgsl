// Finishes a tile of matmul-wide.wgsl where the product is the gradient of Y = finish(Z) and not wider than a tile:
// stores dZ, which is that gradient where Y > 0 or there is no relu, else 0, and dots_i = Σ_c dZ_ic · (Y_ic − bias_c).
// Row sums reuse the memory of the strips: the less workgroup memory a kernel has, the more workgroups run at once.
// uses: finish-flags
// requires: BM, ROW_B, THREADS, stripA, stripB, sums
// constants: BK, QUADS, TX, TY
// params: m u32, n u32, finish u32
// writes: out vec4f, dots f32
// reads: Y vec4f, bias vec4f

const IN_B = BK * ROW_B >= 2u * THREADS; // else the strip of A is large enough

fn putShares(at: u32, shares: vec4f) { if (IN_B) { stripB[at] = shares; } else { stripA[at] = shares; } }
fn shareAt(at: u32, lane: u32) -> f32 {
  if (IN_B) { return stripB[at][lane]; }
  return stripA[at][lane];
}

// Four elements of Y; past the last row or column, those of the last.
fn loadY(row: u32, col: u32) -> vec4f { return Y[min(row, params.m - 1u) * (params.n / 4u) + min(col, params.n - 4u) / 4u]; }

// Stores four elements and returns what they add to the row's inner product.
fn store(row: u32, col: u32, sum: vec4f, y: vec4f, shift: vec4f) -> f32 {
  if (row >= params.m || col >= params.n) { return 0.0; }
  let passes = (y > vec4f(0.0)) | vec4<bool>((params.finish & RELU) == 0u);
  let gradient = select(vec4f(0.0), sum, passes);
  out[row * (params.n / 4u) + col / 4u] = gradient;
  return dot(gradient, y - shift);
}

fn shiftOf(col: u32) -> vec4f {
  if ((params.finish & BIASED) == 0u) { return vec4f(0.0); }
  return bias[min(col, params.n - 4u) / 4u];
}

// Four rows of a thread. All of Y is loaded before any result is stored: the loads overlap.
fn storeRows(
  top: u32, row: u32, col: u32, x: u32,
  s0: vec4f, s1: vec4f, s2: vec4f, s3: vec4f, s4: vec4f, s5: vec4f, s6: vec4f, s7: vec4f,
) {
  let second = col + 4u * TX;
  let shift0 = shiftOf(col);
  let shift1 = shiftOf(second);
  let y0 = loadY(top + row, col);
  let y2 = loadY(top + row + 1u, col);
  let y4 = loadY(top + row + 2u, col);
  let y6 = loadY(top + row + 3u, col);
  var y1 = vec4f(0.0);
  var y3 = vec4f(0.0);
  var y5 = vec4f(0.0);
  var y7 = vec4f(0.0);
  if (QUADS == 2u) {
    y1 = loadY(top + row, second);
    y3 = loadY(top + row + 1u, second);
    y5 = loadY(top + row + 2u, second);
    y7 = loadY(top + row + 3u, second);
  }
  var shares = vec4f(
    store(top + row, col, s0, y0, shift0),
    store(top + row + 1u, col, s2, y2, shift0),
    store(top + row + 2u, col, s4, y4, shift0),
    store(top + row + 3u, col, s6, y6, shift0),
  );
  if (QUADS == 2u) {
    shares += vec4f(
      store(top + row, second, s1, y1, shift1),
      store(top + row + 1u, second, s3, y3, shift1),
      store(top + row + 2u, second, s5, y5, shift1),
      store(top + row + 3u, second, s7, y7, shift1),
    );
  }
  putShares((row / 4u) * TX + x, shares);
}

fn finishTile(top: u32, left: u32, part: u32, y: u32, x: u32, local: u32) {
  let col = left + 4u * x;
  workgroupBarrier();
  storeRows(top, 4u * y, col, x, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]);
  storeRows(top, 4u * (TY + y), col, x, sums[8], sums[9], sums[10], sums[11], sums[12], sums[13], sums[14], sums[15]);
  workgroupBarrier();
  for (var r = local; r < BM; r += THREADS) {
    var sum = 0.0;
    for (var t = 0u; t < TX; t++) { sum += shareAt((r / 4u) * TX + (t + r / 4u) % TX, r % 4u); } // rotated: different banks
    if (top + r < params.m) { dots[top + r] = sum; }
  }
}

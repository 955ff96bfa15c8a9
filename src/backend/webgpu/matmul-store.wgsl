// Stores the tiles of matmul-wide.wgsl, finished.
fn store(row: u32, col: u32, part: u32, sum: vec4f) {
  if (row >= params.m || col >= params.n) { return; }
  let e = ((part * params.m + row) * params.n + col) / 4u;
  var y = sum;
  if ((params.finish & ADDED) != 0u) { y += out[e]; }
  if ((params.finish & BIASED) != 0u) { y += bias[col / 4u]; }
  if ((params.finish & RELU) != 0u) { y = max(y, vec4f(0.0)); }
  out[e] = y;
}

fn storeRow(row: u32, col: u32, part: u32, first: vec4f, second: vec4f) {
  store(row, col, part, first);
  if (QUADS == 2u) { store(row, col + 4u * TX, part, second); }
}

fn finishTile(top: u32, left: u32, part: u32, y: u32, x: u32, local: u32) {
  let row = top + 4u * y;
  let col = left + 4u * x;
  storeRow(row, col, part, sums[0], sums[1]);
  storeRow(row + 1u, col, part, sums[2], sums[3]);
  storeRow(row + 2u, col, part, sums[4], sums[5]);
  storeRow(row + 3u, col, part, sums[6], sums[7]);
  storeRow(row + 4u * TY, col, part, sums[8], sums[9]);
  storeRow(row + 4u * TY + 1u, col, part, sums[10], sums[11]);
  storeRow(row + 4u * TY + 2u, col, part, sums[12], sums[13]);
  storeRow(row + 4u * TY + 3u, col, part, sums[14], sums[15]);
}

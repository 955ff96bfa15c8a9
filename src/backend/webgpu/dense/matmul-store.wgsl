// Finishes and stores the tiles of matmul-wide.wgsl. The flags of `finish` are read once for all elements of a thread.
// uses: finish-flags
// requires: sums
// constants: QUADS, TX, TY
// params: m u32, n u32, finish u32
// writes: out vec4f
// reads: bias vec4f

fn placeOf(row: u32, col: u32, part: u32) -> u32 { return ((part * params.m + row) * params.n + col) / 4u; }

fn added(row: u32, col: u32, part: u32, sum: vec4f) -> vec4f {
  if (row >= params.m || col >= params.n) { return sum; }
  return sum + out[placeOf(row, col, part)];
}

// Adds the values already stored.
fn addRows(row: u32, col: u32, part: u32) {
  let high = row + 4u * TY;
  sums[0] = added(row, col, part, sums[0]);
  sums[2] = added(row + 1u, col, part, sums[2]);
  sums[4] = added(row + 2u, col, part, sums[4]);
  sums[6] = added(row + 3u, col, part, sums[6]);
  sums[8] = added(high, col, part, sums[8]);
  sums[10] = added(high + 1u, col, part, sums[10]);
  sums[12] = added(high + 2u, col, part, sums[12]);
  sums[14] = added(high + 3u, col, part, sums[14]);
  if (QUADS == 1u) { return; }
  let second = col + 4u * TX;
  sums[1] = added(row, second, part, sums[1]);
  sums[3] = added(row + 1u, second, part, sums[3]);
  sums[5] = added(row + 2u, second, part, sums[5]);
  sums[7] = added(row + 3u, second, part, sums[7]);
  sums[9] = added(high, second, part, sums[9]);
  sums[11] = added(high + 1u, second, part, sums[11]);
  sums[13] = added(high + 2u, second, part, sums[13]);
  sums[15] = added(high + 3u, second, part, sums[15]);
}

fn shiftAll(first: vec4f, second: vec4f) {
  sums[0] += first;
  sums[1] += second;
  sums[2] += first;
  sums[3] += second;
  sums[4] += first;
  sums[5] += second;
  sums[6] += first;
  sums[7] += second;
  sums[8] += first;
  sums[9] += second;
  sums[10] += first;
  sums[11] += second;
  sums[12] += first;
  sums[13] += second;
  sums[14] += first;
  sums[15] += second;
}

fn cutAll() {
  sums[0] = max(sums[0], vec4f(0.0));
  sums[1] = max(sums[1], vec4f(0.0));
  sums[2] = max(sums[2], vec4f(0.0));
  sums[3] = max(sums[3], vec4f(0.0));
  sums[4] = max(sums[4], vec4f(0.0));
  sums[5] = max(sums[5], vec4f(0.0));
  sums[6] = max(sums[6], vec4f(0.0));
  sums[7] = max(sums[7], vec4f(0.0));
  sums[8] = max(sums[8], vec4f(0.0));
  sums[9] = max(sums[9], vec4f(0.0));
  sums[10] = max(sums[10], vec4f(0.0));
  sums[11] = max(sums[11], vec4f(0.0));
  sums[12] = max(sums[12], vec4f(0.0));
  sums[13] = max(sums[13], vec4f(0.0));
  sums[14] = max(sums[14], vec4f(0.0));
  sums[15] = max(sums[15], vec4f(0.0));
}

fn store(row: u32, col: u32, part: u32, first: vec4f, second: vec4f) {
  if (row >= params.m) { return; }
  let e = placeOf(row, col, part);
  if (col < params.n) { out[e] = first; }
  if (QUADS == 2u && col + 4u * TX < params.n) { out[e + TX] = second; }
}

fn finishTile(top: u32, left: u32, part: u32, y: u32, x: u32, local: u32) {
  let row = top + 4u * y;
  let high = row + 4u * TY;
  let col = left + 4u * x;
  if ((params.finish & ADDED) != 0u) { addRows(row, col, part); }
  if ((params.finish & BIASED) != 0u) {
    let last = params.n / 4u - 1u;
    shiftAll(bias[min(col / 4u, last)], bias[min(col / 4u + TX, last)]);
  }
  if ((params.finish & RELU) != 0u) { cutAll(); }
  store(row, col, part, sums[0], sums[1]);
  store(row + 1u, col, part, sums[2], sums[3]);
  store(row + 2u, col, part, sums[4], sums[5]);
  store(row + 3u, col, part, sums[6], sums[7]);
  store(high, col, part, sums[8], sums[9]);
  store(high + 1u, col, part, sums[10], sums[11]);
  store(high + 2u, col, part, sums[12], sums[13]);
  store(high + 3u, col, part, sums[14], sums[15]);
}

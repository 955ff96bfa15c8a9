// Writes rows of `out` whose last vector is incomplete: T is mat2x4f, and rows have `numCols` numbers.
// params: numCols u32
// writes: out f32

fn putFour(row: u32, col: u32, y: vec4f) {
  let at = row * params.numCols + col;
  if (col < params.numCols) { out[at] = y.x; }
  if (col + 1u < params.numCols) { out[at + 1u] = y.y; }
  if (col + 2u < params.numCols) { out[at + 2u] = y.z; }
  if (col + 3u < params.numCols) { out[at + 3u] = y.w; }
}

fn put(row: u32, c: u32, y: mat2x4f) {
  putFour(row, 8u * c, y[0]);
  putFour(row, 8u * c + 4u, y[1]);
}

fn fourBefore(row: u32, col: u32) -> vec4f {
  let at = row * params.numCols + col;
  var y = vec4f(0.0);
  if (col < params.numCols) { y.x = out[at]; }
  if (col + 1u < params.numCols) { y.y = out[at + 1u]; }
  if (col + 2u < params.numCols) { y.z = out[at + 2u]; }
  if (col + 3u < params.numCols) { y.w = out[at + 3u]; }
  return y;
}

fn putBefore(row: u32, c: u32) -> mat2x4f { return mat2x4f(fourBefore(row, 8u * c), fourBefore(row, 8u * c + 4u)); }

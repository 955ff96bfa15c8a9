// Reads rows of `given` whose last vector is incomplete: T is mat2x4f, and rows have `numCols` numbers. Past the last
// number it reads zeros.
// params: numCols u32
// reads: given f32

fn fourGiven(row: u32, col: u32) -> vec4f {
  let at = row * params.numCols + col;
  var x = vec4f(0.0);
  if (col < params.numCols) { x.x = given[at]; }
  if (col + 1u < params.numCols) { x.y = given[at + 1u]; }
  if (col + 2u < params.numCols) { x.z = given[at + 2u]; }
  if (col + 3u < params.numCols) { x.w = given[at + 3u]; }
  return x;
}

fn givenAt(row: u32, c: u32) -> mat2x4f { return mat2x4f(fourGiven(row, 8u * c), fourGiven(row, 8u * c + 4u)); }

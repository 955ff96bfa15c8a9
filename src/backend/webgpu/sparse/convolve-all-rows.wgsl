// All rows of a convolution, or those from `offset` on. X may be in two windows, the second from row `split` on.
@group(0) @binding(9) var<storage, read> rest: array<T>;

fn nodeOf(row: u32) -> u32 { return params.offset + row; }
fn pointerOf(row: u32) -> u32 { return row; }

fn gathered(j: u32, c: u32) -> T {
  if (WINDOWS == 2u && j >= params.split) { return rest[(j - params.split) * params.cols + c]; }
  return X[j * params.cols + c];
}

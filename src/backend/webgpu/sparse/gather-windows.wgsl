// Rows of X, which may be in two windows, the second from row `split` on: matrices larger than a binding.
// constants: T, WINDOWS
// params: cols u32, split u32
// reads: X T, rest T

fn gathered(j: u32, c: u32) -> T {
  if (WINDOWS == 2u && j >= params.split) { return rest[(j - params.split) * params.cols + c]; }
  return X[j * params.cols + c];
}

// Rows of X times a weight, for matrices larger than a binding: in two windows, the second from row `split` on.
// constants: T
// params: cols u32, split u32
// reads: X T, rest T

fn gathered(j: u32, c: u32, weight: f32) -> T {
  if (j >= params.split) { return weight * rest[(j - params.split) * params.cols + c]; }
  return weight * X[j * params.cols + c];
}

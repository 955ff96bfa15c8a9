// Rows of X times a weight, all of them in one binding.
// constants: T
// params: cols u32
// reads: X T

fn gathered(j: u32, c: u32, weight: f32) -> T { return weight * X[j * params.cols + c]; }

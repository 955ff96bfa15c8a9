// Rows of X, all of them in one binding.
// constants: T
// params: cols u32
// reads: X T

fn gathered(j: u32, c: u32) -> T { return X[j * params.cols + c]; }

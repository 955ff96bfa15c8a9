// Reads rows of `given`, which are made of whole vectors T.
// constants: T
// params: cols u32
// reads: given T

fn givenAt(row: u32, c: u32) -> T { return given[row * params.cols + c]; }

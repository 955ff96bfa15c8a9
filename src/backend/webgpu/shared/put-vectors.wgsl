// Writes rows of `out`, which are made of whole vectors T.
// constants: T
// params: cols u32
// writes: out T

fn put(row: u32, c: u32, y: T) { out[row * params.cols + c] = y; }
fn putBefore(row: u32, c: u32) -> T { return out[row * params.cols + c]; }

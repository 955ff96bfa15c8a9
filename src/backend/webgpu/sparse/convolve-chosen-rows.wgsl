// Some rows of a convolution: row t is for node rows_t.
@group(0) @binding(9) var<storage, read> rows: array<u32>;

fn nodeOf(row: u32) -> u32 { return rows[row]; }
fn pointerOf(row: u32) -> u32 { return rows[row]; }
fn gathered(j: u32, c: u32) -> T { return X[j * params.cols + c]; }

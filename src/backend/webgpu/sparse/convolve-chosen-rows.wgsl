// For convolve-entries.wgsl: some rows of a convolution; row t is for node rows_t.
// reads: rows u32

fn nodeOf(row: u32) -> u32 { return rows[row]; }
fn pointerOf(row: u32) -> u32 { return rows[row]; }

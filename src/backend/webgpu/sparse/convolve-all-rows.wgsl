// For convolve-entries.wgsl: all rows of a convolution, or those from `offset` on.
// params: offset u32

fn nodeOf(row: u32) -> u32 { return params.offset + row; }
fn pointerOf(row: u32) -> u32 { return row; }

// For spmm.wgsl: rows of a convolution are multiplied by the scale of their node where LEFT is 1.
// requires: nodeOf(row)
// constants: LEFT
// reads: scale f32

fn factorOf(row: u32) -> f32 {
  if (LEFT == 1u) { return scale[nodeOf(row)]; }
  return 1.0;
}

// The value of thread local ^ mask in workgroups of 32 threads, without subgroups: through workgroup memory. All
// threads must call these together.
// constants: T

var<workgroup> shuffledNumbers: array<f32, 32>;
var<workgroup> shuffledRows: array<T, 32>;

fn shuffleXor(x: f32, mask: u32, local: u32) -> f32 {
  workgroupBarrier();
  shuffledNumbers[local] = x;
  workgroupBarrier();
  return shuffledNumbers[local ^ mask];
}

fn shuffleXorT(x: T, mask: u32, local: u32) -> T {
  workgroupBarrier();
  shuffledRows[local] = x;
  workgroupBarrier();
  return shuffledRows[local ^ mask];
}

// What thread local ^ mask has, in workgroups of 32 threads without subgroups: through workgroup memory, all threads together.
var<workgroup> numbersAcross: array<f32, 32>;
var<workgroup> rowsAcross: array<T, 32>;

fn across(x: f32, mask: u32, local: u32) -> f32 {
  workgroupBarrier();
  numbersAcross[local] = x;
  workgroupBarrier();
  return numbersAcross[local ^ mask];
}

fn acrossT(x: T, mask: u32, local: u32) -> T {
  workgroupBarrier();
  rowsAcross[local] = x;
  workgroupBarrier();
  return rowsAcross[local ^ mask];
}

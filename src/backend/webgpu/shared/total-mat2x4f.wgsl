// What kernels do with eight numbers of a row at a time: a matrix can be added and scaled as a vector can, and lies in memory as they do.
fn inner(a: mat2x4f, b: mat2x4f) -> f32 {
  let x = a[0] * b[0] + a[1] * b[1];
  return (x.x + x.y) + (x.z + x.w);
}
fn positive(x: mat2x4f) -> mat2x4f { return mat2x4f(max(x[0], vec4f()), max(x[1], vec4f())); }

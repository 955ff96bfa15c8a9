// Functions of eight numbers, for kernels that process a row eight numbers at a time (T is mat2x4f): WGSL adds and
// scales such a matrix like a vector, and its numbers lie in memory one after the other.
fn inner(a: mat2x4f, b: mat2x4f) -> f32 {
  let x = a[0] * b[0] + a[1] * b[1];
  return (x.x + x.y) + (x.z + x.w);
}
fn positive(x: mat2x4f) -> mat2x4f { return mat2x4f(max(x[0], vec4f()), max(x[1], vec4f())); }

// tanh by exponentials. T is f32 or vec4f.
// constants: T

// 1 - 2 / (exp(2x) + 1) cancels near 0 and overflows far from it.
fn tanhOf(x: T) -> T {
  let size = min(abs(x), T(15.0));
  let far = T(1.0) - T(2.0) / (exp(T(2.0) * size) + T(1.0));
  let near = size * (T(1.0) - size * size * (T(0.33333334) - size * size * T(0.13333334)));
  return sign(x) * select(far, near, size < T(0.05));
}

// out = finish(Y) of the rows Y of a convolution.
@group(0) @binding(10) var<storage, read> bias: array<T>;

// What happens to a sum before it is stored, in this order.
const BIASED = 2u;
const RELU = 4u;

fn store(row: u32, c: u32, total: T) -> f32 {
  var y = total;
  if ((params.finish & BIASED) != 0u) { y += bias[c]; }
  if ((params.finish & RELU) != 0u) { y = max(y, T(0.0)); }
  out[row * params.cols + c] = y;
  return 0.0;
}

fn close(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}

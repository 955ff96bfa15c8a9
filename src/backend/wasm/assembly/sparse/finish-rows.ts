// Scale, bias and relu after a product, and their gradient, over rows begin … end − 1. An address of 0 means that there is no such
// argument.
import { madd } from "../shared/fma";
import { sum4 } from "../shared/vector";

/** out_ic ← relu(out_ic + bias_c), without bias if its address is 0; relu is applied if `relu` is 1. */
export function finishRows(begin: i32, end: i32, out: usize, bias: usize, cols: i32, relu: i32): void {
  const bytes = (<usize>cols) << 2;
  for (let i = begin; i < end; i++) finishRow(out + <usize>i * bytes, 0, 1, bias, bytes, relu);
}

/** out_c ← relu(scale · (out_c + x_c) + bias_c) for one row. */
export function finishRow(out: usize, x: usize, scale: f32, bias: usize, bytes: usize, relu: i32): void {
  const zero = f32x4.splat(0);
  const s4 = f32x4.splat(scale);
  let c: usize = 0;
  for (; c + 16 <= bytes; c += 16) {
    let y = v128.load(out + c);
    if (x) y = f32x4.add(y, v128.load(x + c));
    y = bias ? madd(s4, y, v128.load(bias + c)) : f32x4.mul(s4, y);
    if (relu) y = f32x4.max(y, zero);
    v128.store(out + c, y);
  }
  for (; c < bytes; c += 4) {
    let y = load<f32>(out + c);
    if (x) y += load<f32>(x + c);
    y *= scale;
    if (bias) y += load<f32>(bias + c);
    store<f32>(out + c, relu ? max<f32>(y, 0) : y);
  }
}

/**
 * dz = dy where y > 0, else 0, and dots_i = Σ_c dz_ic · (y_ic − bias_c). If `relu` is 0, dy stands in for dz, which is
 * not written.
 */
export function finishGrad(
  begin: i32,
  end: i32,
  dz: usize,
  dots: usize,
  dy: usize,
  y: usize,
  bias: usize,
  cols: i32,
  relu: i32,
): void {
  const bytes = (<usize>cols) << 2;
  const zero = f32x4.splat(0);
  for (let i = begin; i < end; i++) {
    const row = <usize>i * bytes;
    let sum = zero;
    let c: usize = 0;
    for (; c + 16 <= bytes; c += 16) {
      const result = v128.load(y + row + c);
      let gradient = v128.load(dy + row + c);
      if (relu) {
        gradient = v128.and(gradient, f32x4.gt(result, zero));
        v128.store(dz + row + c, gradient);
      }
      sum = madd(gradient, bias ? f32x4.sub(result, v128.load(bias + c)) : result, sum);
    }
    let total = sum4(sum);
    for (; c < bytes; c += 4) {
      const result = load<f32>(y + row + c);
      let gradient = load<f32>(dy + row + c);
      if (relu) {
        if (!(result > 0)) gradient = 0;
        store<f32>(dz + row + c, gradient);
      }
      total += gradient * (bias ? result - load<f32>(bias + c) : result);
    }
    store<f32>(dots + ((<usize>i) << 2), total);
  }
}

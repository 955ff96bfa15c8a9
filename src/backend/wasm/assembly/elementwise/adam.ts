import { madd } from "../shared/fma";

/**
 * Adam (Kingma & Ba 2015) with L2 decay added to the gradient. `rate` is learningRate / (1 − β₁^t) and `root` is
 * 1 / √(1 − β₂^t), both computed by the caller in double precision.
 */
export function adam(
  begin: i32,
  end: i32,
  parameter: usize,
  gradient: usize,
  m: usize,
  v: usize,
  rate: f32,
  root: f32,
  decay: f32,
  beta1: f32,
  rest1: f32,
  beta2: f32,
  rest2: f32,
  epsilon: f32,
): void {
  const last = (<usize>end) << 2;
  for (let at = (<usize>begin) << 2; at < last; at += 16) {
    const p = v128.load(parameter + at);
    const g = madd(f32x4.splat(decay), p, v128.load(gradient + at));
    const first = madd(f32x4.splat(beta1), v128.load(m + at), f32x4.mul(f32x4.splat(rest1), g));
    const second = madd(f32x4.splat(beta2), v128.load(v + at), f32x4.mul(f32x4.splat(rest2), f32x4.mul(g, g)));
    const size = f32x4.add(f32x4.mul(f32x4.sqrt(second), f32x4.splat(root)), f32x4.splat(epsilon));
    v128.store(m + at, first);
    v128.store(v + at, second);
    v128.store(parameter + at, f32x4.sub(p, f32x4.div(f32x4.mul(f32x4.splat(rate), first), size)));
  }
}

/** a·b + c, fused where the build may use relaxed SIMD. The only place where the two builds differ. */
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** Sum of the four lanes, as ((0 + 2) + (1 + 3)). */
export function sum4(x: v128): f32 {
  const pairs = f32x4.add(x, i32x4.shuffle(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** Largest of the four lanes. */
export function max4(x: v128): f32 {
  const pairs = f32x4.max(x, i32x4.shuffle(x, x, 2, 3, 0, 1));
  return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
}

/** Sum of the four lanes in double precision. */
export function sum4wide(x: v128): f64 {
  const low = f64x2.promote_low_f32x4(x);
  const high = f64x2.promote_low_f32x4(i32x4.shuffle(x, x, 2, 3, 0, 1));
  const both = f64x2.add(low, high);
  return f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
}

// Brings a symmetric matrix back from another order of the nodes.

/** out_ij = scale_i · scale_j · X_ab with a and b the places of nodes i and j, rows begin … end − 1. */
export function restoreOrder(begin: i32, end: i32, out: usize, x: usize, n: i32, places: usize, scale: usize): void {
  const bytes = (<usize>n) << 2;
  for (let i = <usize>begin; i < <usize>end; i++) {
    const row = x + <usize>load<u32>(places + (i << 2)) * bytes;
    const to = out + i * bytes;
    const own = v128.load32_splat(scale + (i << 2));
    let at: usize = 0;
    for (; at + 16 <= bytes; at += 16) {
      const four = f32x4(
        entryAt(row, places + at),
        entryAt(row, places + at + 4),
        entryAt(row, places + at + 8),
        entryAt(row, places + at + 12),
      );
      v128.store(to + at, f32x4.mul(four, f32x4.mul(own, v128.load(scale + at))));
    }
    for (; at < bytes; at += 4) {
      store<f32>(to + at, entryAt(row, places + at) * (f32x4.extract_lane(own, 0) * load<f32>(scale + at)));
    }
  }
}

function entryAt(row: usize, place: usize): f32 {
  return load<f32>(row + ((<usize>load<u32>(place)) << 2));
}

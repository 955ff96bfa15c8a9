// The inner loop of the matrix product: a tile of 6 rows and 8 columns of C lives in twelve of the sixteen vector
// registers while k runs, so that each step loads two vectors of B and six single entries of A for 96 flops.
import { madd } from "../shared/fma";

export const TILE_ROWS: i32 = 6;
export const TILE_COLS: i32 = 8;

/**
 * C (+)= A·B for one tile. Row r of A starts at `a + min(r, rows − 1)·aRow` and steps by `aStep` bytes; B is a packed
 * panel of `kc` rows of eight floats. Rows and columns beyond `rows` and `cols` are computed but not stored.
 */
export function multiplyTile(
  kc: i32,
  a: usize,
  aRow: usize,
  aStep: usize,
  b: usize,
  c: usize,
  cRow: usize,
  rows: i32,
  cols: i32,
  accumulate: i32,
): void {
  let a0 = a;
  let a1 = a + (rows > 1 ? aRow : 0);
  let a2 = a1 + (rows > 2 ? aRow : 0);
  let a3 = a2 + (rows > 3 ? aRow : 0);
  let a4 = a3 + (rows > 4 ? aRow : 0);
  let a5 = a4 + (rows > 5 ? aRow : 0);
  let c00 = f32x4.splat(0);
  let c01 = f32x4.splat(0);
  let c10 = f32x4.splat(0);
  let c11 = f32x4.splat(0);
  let c20 = f32x4.splat(0);
  let c21 = f32x4.splat(0);
  let c30 = f32x4.splat(0);
  let c31 = f32x4.splat(0);
  let c40 = f32x4.splat(0);
  let c41 = f32x4.splat(0);
  let c50 = f32x4.splat(0);
  let c51 = f32x4.splat(0);
  const last = b + ((<usize>kc) << 5);
  while (b < last) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load32_splat(a0);
    c00 = madd(x, b0, c00);
    c01 = madd(x, b1, c01);
    x = v128.load32_splat(a1);
    c10 = madd(x, b0, c10);
    c11 = madd(x, b1, c11);
    x = v128.load32_splat(a2);
    c20 = madd(x, b0, c20);
    c21 = madd(x, b1, c21);
    x = v128.load32_splat(a3);
    c30 = madd(x, b0, c30);
    c31 = madd(x, b1, c31);
    x = v128.load32_splat(a4);
    c40 = madd(x, b0, c40);
    c41 = madd(x, b1, c41);
    x = v128.load32_splat(a5);
    c50 = madd(x, b0, c50);
    c51 = madd(x, b1, c51);
    a0 += aStep;
    a1 += aStep;
    a2 += aStep;
    a3 += aStep;
    a4 += aStep;
    a5 += aStep;
    b += 32;
  }
  storeRow(c, c00, c01, cols, accumulate);
  if (rows > 1) storeRow(c + cRow, c10, c11, cols, accumulate);
  if (rows > 2) storeRow(c + 2 * cRow, c20, c21, cols, accumulate);
  if (rows > 3) storeRow(c + 3 * cRow, c30, c31, cols, accumulate);
  if (rows > 4) storeRow(c + 4 * cRow, c40, c41, cols, accumulate);
  if (rows > 5) storeRow(c + 5 * cRow, c50, c51, cols, accumulate);
}

/** Stores the first `cols` of eight values, or adds them. */
function storeRow(c: usize, low: v128, high: v128, cols: i32, accumulate: i32): void {
  if (cols === 8) {
    if (accumulate) {
      low = f32x4.add(low, v128.load(c));
      high = f32x4.add(high, v128.load(c, 16));
    }
    v128.store(c, low);
    v128.store(c, high, 16);
    return;
  }
  let rest = low;
  let left = cols;
  if (cols >= 4) {
    v128.store(c, accumulate ? f32x4.add(low, v128.load(c)) : low);
    c += 16;
    rest = high;
    left -= 4;
  }
  for (; left > 0; left--, c += 4) {
    const value = f32x4.extract_lane(rest, 0);
    store<f32>(c, accumulate ? value + load<f32>(c) : value);
    rest = i32x4.shuffle(rest, rest, 1, 2, 3, 0);
  }
}

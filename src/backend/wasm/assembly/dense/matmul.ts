// Matrix product by blocks, after Goto & van de Geijn (2008): panels of B packed so that the inner loop reads them in
// order, blocks of KC along k so that a panel stays in the first cache, strips of A in the second.

import { scratch } from "../shared/scratch";
import { multiplyTile, TILE_COLS, TILE_ROWS } from "./matmul-tile";

const KC: i32 = 256;
/** Strips of six rows that are packed at once when A is transposed. */
const STRIPS: i32 = 16;

/** Bytes of scratch storage, packed A and then packed B, for products with up to `splitCols` columns along a split k. */
export function scratchBytes(splitCols: i32): i32 {
  return (STRIPS * TILE_ROWS * KC + KC * splitCols) << 2;
}

/** Packs panels begin … end − 1 of B for all of k: block by block, panel by panel, rows of eight, zeros beyond column n. */
export function packB(begin: i32, end: i32, packed: usize, b: usize, n: i32, k: i32, transB: i32): void {
  const panels = (n + TILE_COLS - 1) / TILE_COLS;
  for (let k0 = 0; k0 < k; k0 += KC) {
    const kc = min(KC, k - k0);
    const block = packed + ((<usize>k0 * <usize>panels) << 5);
    for (let panel = begin; panel < end; panel++) {
      packPanel(block + ((<usize>panel * <usize>kc) << 5), b, n, k, transB, panel * TILE_COLS, k0, kc);
    }
  }
}

function packPanel(to: usize, b: usize, n: i32, k: i32, transB: i32, j0: i32, k0: i32, kc: i32): void {
  const cols = min(TILE_COLS, n - j0);
  const across = (<usize>(transB ? k : 1)) << 2; // from one column of op(B) to the next
  const down = (<usize>(transB ? 1 : n)) << 2;
  let from = b + <usize>j0 * across + <usize>k0 * down;
  const whole = cols === TILE_COLS && !transB;
  for (let p = 0; p < kc; p++, from += down, to += 32) {
    if (whole) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
    } else {
      let c = 0;
      for (; c < cols; c++) store<f32>(to + ((<usize>c) << 2), load<f32>(from + <usize>c * across));
      for (; c < TILE_COLS; c++) store<f32>(to + ((<usize>c) << 2), 0);
    }
  }
}

/** C = op(A)·B for strips begin … end − 1 of six rows, B packed by {@link packB}. */
export function matmulStrips(
  begin: i32,
  end: i32,
  c: usize,
  a: usize,
  packed: usize,
  m: i32,
  n: i32,
  k: i32,
  transA: i32,
  accumulate: i32,
): void {
  const panels = (n + TILE_COLS - 1) / TILE_COLS;
  for (let s = begin; s < end; s += STRIPS) {
    const stop = min(end, s + STRIPS);
    for (let k0 = 0; k0 < k; k0 += KC) {
      const block = packed + ((<usize>k0 * <usize>panels) << 5);
      multiplyBlock(s, stop, c, a, block, m, n, k, k0, min(KC, k - k0), transA, i32(k0 > 0) | accumulate);
    }
  }
}

/** The same for chunks begin … end − 1 of `chunk` values of k: each writes its own partial C of m·n floats. */
export function matmulSplit(
  begin: i32,
  end: i32,
  partial: usize,
  a: usize,
  b: usize,
  m: i32,
  n: i32,
  k: i32,
  chunk: i32,
  transA: i32,
  transB: i32,
): void {
  const panels = (n + TILE_COLS - 1) / TILE_COLS;
  const strips = (m + TILE_ROWS - 1) / TILE_ROWS;
  const block = scratch + ((<usize>(STRIPS * TILE_ROWS * KC)) << 2);
  for (let part = begin; part < end; part++) {
    const c = partial + ((<usize>part * <usize>m * <usize>n) << 2);
    const first = part * chunk;
    const last = min(k, first + chunk);
    for (let k0 = first; k0 < last; k0 += KC) {
      const kc = min(KC, last - k0);
      for (let panel = 0; panel < panels; panel++) {
        packPanel(block + ((<usize>panel * <usize>kc) << 5), b, n, k, transB, panel * TILE_COLS, k0, kc);
      }
      for (let s = 0; s < strips; s += STRIPS) {
        multiplyBlock(s, min(strips, s + STRIPS), c, a, block, m, n, k, k0, kc, transA, i32(k0 > first));
      }
    }
  }
}

function multiplyBlock(
  begin: i32,
  end: i32,
  c: usize,
  a: usize,
  packed: usize,
  m: i32,
  n: i32,
  k: i32,
  k0: i32,
  kc: i32,
  transA: i32,
  accumulate: i32,
): void {
  const cRow = (<usize>n) << 2;
  if (transA) packA(begin, end, a, m, k0, kc);
  for (let j = 0; j < n; j += TILE_COLS) {
    const panel = packed + ((<usize>j * <usize>kc) << 2);
    const cols = min(TILE_COLS, n - j);
    for (let s = begin; s < end; s++) {
      const i = s * TILE_ROWS;
      const rows = min(TILE_ROWS, m - i);
      const to = c + ((<usize>i * <usize>n + <usize>j) << 2);
      if (transA) {
        const from = scratch + ((<usize>((s - begin) * TILE_ROWS * kc)) << 2);
        multiplyTile(kc, from, 4, TILE_ROWS << 2, panel, to, cRow, rows, cols, accumulate);
      } else {
        const from = a + ((<usize>i * <usize>k + <usize>k0) << 2);
        multiplyTile(kc, from, (<usize>k) << 2, 4, panel, to, cRow, rows, cols, accumulate);
      }
    }
  }
}

/**
 * Packs strips of a transposed A, stored [k, m], so that six rows of op(A) lie side by side. Row by row of A, because
 * memory is fast in its own order; the strips stay in a cache.
 */
function packA(begin: i32, end: i32, a: usize, m: i32, k0: i32, kc: i32): void {
  const whole = min(end, m / TILE_ROWS);
  const strip = (<usize>(TILE_ROWS * kc)) << 2;
  const down = (<usize>m) << 2;
  let row = a + ((<usize>k0 * <usize>m + <usize>(begin * TILE_ROWS)) << 2);
  for (let p = 0; p < kc; p++, row += down) {
    let from = row;
    let to = scratch + <usize>((p * TILE_ROWS) << 2);
    for (let s = begin; s < whole; s++, from += TILE_ROWS << 2, to += strip) {
      v128.store(to, v128.load(from));
      store<u64>(to, load<u64>(from, 16), 16);
    }
    if (whole < end) {
      const rows = m - whole * TILE_ROWS;
      for (let r = 0; r < rows; r++) store<f32>(to + ((<usize>r) << 2), load<f32>(from + ((<usize>r) << 2)));
    }
  }
}

/** out_e (+)= Σ_p partial_p,e for elements begin … end − 1, in the order of p. */
export function sumParts(
  begin: i32,
  end: i32,
  out: usize,
  partial: usize,
  size: i32,
  parts: i32,
  accumulate: i32,
): void {
  const stride = (<usize>size) << 2;
  for (let e = begin; e < end; e++) {
    const at = (<usize>e) << 2;
    let sum: f64 = accumulate ? load<f32>(out + at) : 0;
    let from = partial + at;
    for (let p = 0; p < parts; p++, from += stride) sum += load<f32>(from);
    store<f32>(out + at, <f32>sum);
  }
}

// The neighbours of one row, gathered: their rows of X cut into slabs of eight columns. A slab holds eight columns of
// all neighbours one after another, so that passes over it stream through the first cache.
import { touchRows } from "../shared/touch-rows";

/** Bytes of eight columns of one neighbour. */
export const LANES: usize = 32;

/** Slabs that `cols` columns make. */
export function slabsOf(cols: i32): i32 {
  return (cols + 7) >> 3;
}

/** Bytes from one slab to the next: an odd number of cache lines, so that the slabs of one neighbour fall into many sets. */
export function slabStride(count: i32): usize {
  return (((<usize>count * LANES + 63) >> 6) | 1) << 6;
}

/** Bytes of a gathered row of `count` neighbours. */
export function slabBytes(count: i32, cols: i32): usize {
  return <usize>slabsOf(cols) * slabStride(count);
}

/** Copies the rows of X named by the `count` columns at `colIdx` to the slabs at `to`; columns beyond the last are 0. */
export function gatherSlabs(to: usize, x: usize, colIdx: usize, count: i32, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  const stride = slabStride(count);
  let touched = 0;
  for (let e = 0; e < count; e++) {
    if (e === touched) touched += touchRows(x, colIdx + ((<usize>e) << 2), count - e, bytes);
    const from = x + <usize>load<u32>(colIdx + ((<usize>e) << 2)) * bytes;
    let out = to + <usize>e * LANES;
    let at: usize = 0;
    for (; at + 32 <= bytes; at += 32) {
      v128.store(out, v128.load(from + at));
      v128.store(out, v128.load(from + at, 16), 16);
      out += stride;
    }
    if (at < bytes) copyTail(out, from + at, bytes - at);
  }
}

/** Copies `bytes` < 32 bytes and clears the rest of the eight columns. */
export function copyTail(out: usize, from: usize, bytes: usize): void {
  v128.store(out, f32x4.splat(0));
  v128.store(out, f32x4.splat(0), 16);
  for (let at: usize = 0; at < bytes; at += 4) store<f32>(out + at, load<f32>(from + at));
}

/** A row of a dense matrix with its columns padded by zeros to whole slabs. */
export function padRow(to: usize, from: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  let at: usize = 0;
  for (; at + 32 <= bytes; at += 32) {
    v128.store(to + at, v128.load(from + at));
    v128.store(to + at, v128.load(from + at, 16), 16);
  }
  if (at < bytes) copyTail(to + at, from + at, bytes - at);
}

/** The first `cols` floats of a padded row. */
export function unpadRow(to: usize, from: usize, cols: i32): void {
  const bytes = (<usize>cols) << 2;
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(to + at, v128.load(from + at));
  for (; at < bytes; at += 4) store<f32>(to + at, load<f32>(from + at));
}

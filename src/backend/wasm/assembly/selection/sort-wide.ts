// Lists of 64-bit integers: sorting, merging, searching.
import { nextPlace, startDigits } from "./radix-digits";

/** Number of leading entries of an ascending list that are at most `value`. */
export function firstAbove(list: usize, length: i32, value: u64): i32 {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<u64>(list + ((<usize>middle) << 3)) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts 64-bit integers below 2^bits by their digits of 11 bits; returns 1 if the result is in `work`, else 0. */
export function sortWide(list: usize, work: usize, length: i32, bits: u32, histogram: usize): i32 {
  let from = list;
  let to = work;
  const size = (<usize>length) << 3;
  for (let shift: u64 = 0; shift < <u64>bits; shift += 11) {
    startDigits<u64>(histogram, 2048, from, size, shift);
    for (let at: usize = 0; at < size; at += 8) {
      const value = load<u64>(from + at);
      store<u64>(to + (nextPlace(histogram, <u32>((value >> shift) & 2047)) << 3), value);
    }
    const f = from;
    from = to;
    to = f;
  }
  return i32(from !== list);
}

/** Merges two ascending lists into `out` without duplicates; returns how many values there are. */
export function mergeDistinct(out: usize, a: usize, numA: i32, b: usize, numB: i32): i32 {
  const endA = a + ((<usize>numA) << 3);
  const endB = b + ((<usize>numB) << 3);
  let to = out;
  while (a < endA || b < endB) {
    const fromA = b >= endB || (a < endA && load<u64>(a) <= load<u64>(b));
    const value = fromA ? load<u64>(a) : load<u64>(b);
    if (fromA) a += 8;
    else b += 8;
    if (to > out && load<u64>(to - 8) === value) continue;
    store<u64>(to, value);
    to += 8;
  }
  return <i32>((to - out) >> 3);
}

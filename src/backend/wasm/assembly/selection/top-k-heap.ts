// The k largest of a stream of positions, in place: a heap of k words, the weakest on top, then sorted by position.

/** True if position a has the lower value, or the same and comes later. */
function isWeaker(x: usize, a: u32, b: u32): bool {
  const va = load<f32>(x + ((<usize>a) << 2));
  const vb = load<f32>(x + ((<usize>b) << 2));
  return va < vb || (va === vb && a > b);
}

/** Offers `position` to a heap that holds `count` of at most k; returns how many it holds then. */
export function offer(heap: usize, count: i32, k: i32, x: usize, position: u32): i32 {
  if (count < k) {
    let at = count;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = load<u32>(heap + ((<usize>parent) << 2));
      if (!isWeaker(x, position, above)) break;
      store<u32>(heap + ((<usize>at) << 2), above);
      at = parent;
    }
    store<u32>(heap + ((<usize>at) << 2), position);
    return count + 1;
  }
  if (k > 0 && isWeaker(x, load<u32>(heap), position)) replaceTop(heap, k, x, position);
  return count;
}

function replaceTop(heap: usize, k: i32, x: usize, position: u32): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= k) break;
    let below = load<u32>(heap + ((<usize>child) << 2));
    if (child + 1 < k) {
      const other = load<u32>(heap + ((<usize>child) << 2), 4);
      if (isWeaker(x, other, below)) {
        child++;
        below = other;
      }
    }
    if (!isWeaker(x, below, position)) break;
    store<u32>(heap + ((<usize>at) << 2), below);
    at = child;
  }
  store<u32>(heap + ((<usize>at) << 2), position);
}

/** Puts `count` positions into ascending order and writes their values; few enough for an insertion sort. */
export function writeAscending(positions: usize, values: usize, count: i32, x: usize): void {
  for (let t = 1; t < count; t++) {
    const position = load<u32>(positions + ((<usize>t) << 2));
    let at = positions + ((<usize>t) << 2);
    for (; at > positions && load<u32>(at - 4) > position; at -= 4) store<u32>(at, load<u32>(at - 4));
    store<u32>(at, position);
  }
  for (let t: usize = 0; t < (<usize>count) << 2; t += 4) {
    store<f32>(values + t, load<f32>(x + ((<usize>load<u32>(positions + t)) << 2)));
  }
}

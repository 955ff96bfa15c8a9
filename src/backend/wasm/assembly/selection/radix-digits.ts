// A pass of a radix sort: where the keys with each digit go.

/** Counts the digits of `size` bytes of keys, then turns the counts into the places where each digit begins. */
export function startDigits<T>(histogram: usize, buckets: i32, keys: usize, size: usize, shift: T): void {
  const end = histogram + ((<usize>buckets) << 2);
  for (let at = histogram; at < end; at += 4) store<u32>(at, 0);
  for (let at: usize = 0; at < size; at += sizeof<T>()) {
    const bucket = histogram + ((<usize>((load<T>(keys + at) >> shift) & <T>(buckets - 1))) << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  let place: u32 = 0;
  for (let at = histogram; at < end; at += 4) {
    const count = load<u32>(at);
    store<u32>(at, place);
    place += count;
  }
}

/** Takes the next free place of a bucket. */
export function nextPlace(histogram: usize, bucket: u32): usize {
  const at = histogram + ((<usize>bucket) << 2);
  const place = load<u32>(at);
  store<u32>(at, place + 1);
  return <usize>place;
}

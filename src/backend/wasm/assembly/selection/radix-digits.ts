// A pass of a radix sort: where the keys with each digit go.

/** Turns the histogram into the place where each digit begins: digits of `size` bytes of keys are counted, and the counts summed. */
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

/** The next free place of a bucket. */
export function nextPlace(histogram: usize, bucket: u32): usize {
  const at = histogram + ((<usize>bucket) << 2);
  const place = load<u32>(at);
  store<u32>(at, place + 1);
  return <usize>place;
}

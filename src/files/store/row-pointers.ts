/** Row pointers of a store, in 64 bits: `pointers` plus `before`, the number of entries already written. */
export function pointersAfter(pointers: ArrayLike<number>, before: number): Uint32Array {
  const words = new Uint32Array(2 * pointers.length); // low and high half; bigints are a hundred times slower
  for (let k = 0; k < pointers.length; k++) {
    const value = before + pointers[k];
    words[2 * k] = value;
    words[2 * k + 1] = value / 2 ** 32;
  }
  return words;
}

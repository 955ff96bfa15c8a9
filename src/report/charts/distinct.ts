/** Values in the order in which they first come. */
export function distinct<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}

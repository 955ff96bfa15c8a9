/** The distinct values, in the order of their first occurrence. */
export function distinct<T>(values: Iterable<T>): T[] {
  return [...new Set(values)];
}

type Values = ArrayLike<number>;

/**
 * The first element in which two buffers differ, in words, or null. Floats may differ by `tolerance` times the larger
 * of the element, the mean size of the expected elements (sums cancel) and `scale`; integers not at all. NaN is always
 * a difference: it is what outputs hold before a kernel overwrites them.
 */
export function firstDifference(actual: Values, expected: Values, tolerance: number, scale: number): string | null {
  if (actual.length !== expected.length) return `length ${actual.length} instead of ${expected.length}`;
  const exact = expected instanceof Int32Array;
  const typical = exact ? 0 : Math.max(scale, meanSize(expected));
  for (let e = 0; e < expected.length; e++) {
    const a = actual[e];
    const b = expected[e];
    if (a === b) continue;
    const allowed = exact ? 0 : tolerance * Math.max(Math.abs(b), typical);
    if (!Number.isFinite(b) || !(Math.abs(a - b) <= allowed)) return `[${e}] is ${a} instead of ${b} (± ${allowed})`;
  }
  return null;
}

function meanSize(values: Values): number {
  let sum = 0;
  let count = 0;
  for (let e = 0; e < values.length; e++) {
    if (!Number.isFinite(values[e])) continue;
    sum += Math.abs(values[e]);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

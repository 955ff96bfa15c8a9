import { check, DataError } from "../../core/errors.ts";

/**
 * Throws if a matrix is far larger than its number of entries suggests. Such a size is a mistake and would cost memory.
 */
export function checkEntriesShape(where: string, shape: readonly number[], entries: number): void {
  const sizes = shape.length === 2 && shape.every((size) => Number.isSafeInteger(size) && size >= 0);
  check(sizes, () => `${where}: shape must be two sizes, got (${shape.join(", ")})`, DataError);
  const largest = Math.max(...shape);
  check(
    largest <= 16 * entries + 1024,
    () => `${where}: size ${largest} is far beyond the ${entries} entries; is it damaged?`,
    DataError,
  );
}

export function checkEntriesInside(where: string, indices: ArrayLike<number>, bound: number, what: string): void {
  for (let e = 0; e < indices.length; e++) {
    if (!Number.isInteger(indices[e]) || indices[e] < 0 || indices[e] >= bound)
      throw new DataError(`${where}: ${what} ${indices[e]} of entry ${e} must be in 0 … ${bound - 1}`);
  }
}

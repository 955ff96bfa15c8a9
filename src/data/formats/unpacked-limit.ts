/**
 * Sparse features stored densely shrink 200-fold; what unpacks to more than this many times its size is refused, so that
 * a small file cannot fill the memory.
 */
export const MAX_EXPANSION = 300;
const ALWAYS_ALLOWED = 16 * 2 ** 20;

/** How many bytes a packed file may unpack to. */
export function unpackedLimit(packedBytes: number): number {
  return Math.max(ALWAYS_ALLOWED, MAX_EXPANSION * packedBytes);
}

import type { Backend, Buffer, CsrBuffers } from "../backend/backend.ts";
import { check, MemoryError } from "../core/errors.ts";

/** A symmetric adjacency matrix with self loops, as a sum of sparse matrices. No entry of the sum is negative. */
export interface SymmetricSum {
  readonly numNodes: number;
  readonly parts: readonly CsrBuffers[];
}

/** Options of {@link exactPageRank}. */
export interface ExactOptions {
  /** Restart probability α. */
  readonly alpha: number;
  /** Bound on the error of each column, relative to its length. Default 1e-6. */
  readonly tolerance?: number;
}

/** PageRank as a dense symmetric matrix, [n, n], and the degrees with self loops, [n]. The caller frees both. */
export interface ExactPageRank {
  readonly matrix: Buffer;
  readonly degrees: Buffer;
}

/** Largest dense matrix in bytes. A CPU backend holds two at a time; more would leave no room for the rest in 4 GiB. */
const MAX_BYTES = 7 * 2 ** 28;

/**
 * Exact personalised PageRank Π = α(I − (1 − α)Â)⁻¹ of the symmetrically normalised adjacency with self loops,
 * Â = D^(−1/2)(A + I)D^(−1/2), by Chebyshev iteration instead of an inverse. The argument `A` includes the self loops.
 *
 * The eigenvalues of Â lie in [−1, 1], so the number of iterations that reaches the tolerance is known in advance
 * (at most 25 for 1e-6 at α = .15) and nothing is read back. Dense by definition: throws if n² is too much (rule S1).
 */
export function exactPageRank(backend: Backend, A: SymmetricSum, options: ExactOptions): ExactPageRank {
  const { alpha, tolerance = 1e-6 } = options;
  const n = A.numNodes;
  check(alpha > 0 && alpha < 1, () => `exactPageRank: alpha must be between 0 and 1, got ${alpha}`);
  check(
    4 * n * n <= MAX_BYTES,
    () =>
      `exactPageRank: ${n} nodes need a dense matrix of ${Math.ceil((4 * n * n) / 2 ** 20)} MiB, more than the ` +
      `${MAX_BYTES / 2 ** 20} MiB allowed; approximate it with push`,
    MemoryError,
  );
  const degrees = backend.alloc("f32", n);
  for (const [p, part] of A.parts.entries()) backend.rowSums(degrees, part, p > 0);
  const matrix = backend.alloc("f32", n * n);
  backend.pageRank(matrix, A.parts, degrees, { alpha, tolerance });
  return { matrix, degrees };
}

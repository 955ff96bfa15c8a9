import type { Backend, Buffer, CsrBuffers } from "../backend/backend.ts";
import { check, MemoryError } from "../core/errors.ts";

/** A symmetric adjacency matrix as a sum of sparse ones, without self loops; weights are not negative in sum. */
export interface SymmetricSum {
  readonly numNodes: number;
  readonly parts: readonly CsrBuffers[];
}

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

/** Columns solved together: few enough that their state stays in a cache, many enough to fill vector registers. */
const BLOCK_COLUMNS = 64;
/** More for one dense matrix than this leaves a CPU backend of 4 GiB no room for anything else. */
const MAX_BYTES = 2 ** 31;

/**
 * Exact personalised PageRank Π = α(I − (1 − α)Â)⁻¹ of the symmetrically normalised adjacency with self loops,
 * Â = D^(−1/2)(A + I)D^(−1/2), by Chebyshev iteration on blocks of columns instead of an inverse.
 *
 * The eigenvalues of Â lie in [−1, 1], so the number of iterations that reaches the tolerance is known beforehand
 * (25 for 1e-6 at α = .15) and nothing is read back. Dense by definition: refuses where n² is too much (rule S1).
 */
export function exactPageRank(backend: Backend, A: SymmetricSum, options: ExactOptions): ExactPageRank {
  const { alpha } = options;
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
  backend.fill(degrees, 1);
  for (const part of A.parts) backend.rowSums(degrees, part, true);
  const matrix = backend.alloc("f32", n * n);
  const solver = new ChebyshevBlocks(backend, A, degrees, options);
  for (let begin = 0; begin < n; begin += BLOCK_COLUMNS) {
    const width = Math.min(BLOCK_COLUMNS, n - begin);
    const rows = backend.view(matrix, begin * n, width * n); // Π is symmetric: its columns are its rows
    solver.solve(rows, begin, width);
  }
  solver.free();
  const root = backend.alloc("f32", n);
  backend.unary("sqrt", root, degrees);
  backend.affineCols(matrix, matrix, root, null, n, n);
  backend.free(root);
  return { matrix, degrees };
}

/** Weights ω₂, ω₃, … of the Chebyshev semi-iteration for eigenvalues in [−rho, rho], as many as the tolerance needs. */
export function chebyshevWeights(rho: number, tolerance: number): number[] {
  const iterations = Math.ceil(Math.acosh(1 / tolerance) / Math.acosh(1 / rho));
  const weights: number[] = [];
  let omega = 2;
  for (let k = 1; k < iterations; k++) weights.push((omega = 1 / (1 - (rho * rho * omega) / 4)));
  return weights;
}

/**
 * Solves for Y = D^(−1/2)Π, which needs no weights in the sparse product: (I − (1 − α)D⁻¹(A + I))Y = αD^(−1/2) =: F, by
 * Y₁ = F, Y_{k+1} = ω((1 − α)D⁻¹(A + I)Y_k + F) + (1 − ω)Y_{k−1}.
 */
class ChebyshevBlocks {
  private readonly backend: Backend;
  private readonly A: SymmetricSum;
  private readonly omegas: readonly number[];
  /** ω(1 − α)/deg per iteration. */
  private readonly scales: readonly Buffer[];
  /** α/√deg. */
  private readonly start: Buffer;

  constructor(backend: Backend, A: SymmetricSum, degrees: Buffer, { alpha, tolerance = 1e-6 }: ExactOptions) {
    this.backend = backend;
    this.A = A;
    this.omegas = chebyshevWeights(1 - alpha, tolerance);
    const vector = () => backend.alloc("f32", A.numNodes);
    const inverse = vector();
    backend.unary("reciprocal", inverse, degrees);
    this.scales = this.omegas.map((omega) => {
      const scale = vector();
      backend.affine(scale, omega * (1 - alpha), inverse, 0, null, 0);
      return scale;
    });
    backend.free(inverse);
    this.start = vector();
    backend.unary("rsqrt", this.start, degrees);
    backend.affine(this.start, alpha, this.start, 0, null, 0);
  }

  /** Writes columns begin … begin + width − 1 of Y into `out` as rows. */
  solve(out: Buffer, begin: number, width: number): void {
    const { backend } = this;
    const n = this.A.numNodes;
    const size = n * width;
    const [first, second, product] = [size, size, size].map((length) => backend.alloc("f32", length));
    const { index, F, scaledF } = this.rightSide(begin, width);
    let [before, now] = [first!, second!];
    backend.fill(before, 0);
    backend.fill(now, 0);
    backend.scatterAddRows(now, F, index, n, width);
    for (const [k, omega] of this.omegas.entries()) {
      backend.copy(product!, now); // self loops
      for (const part of this.A.parts) backend.spmm(product!, part, now, width, true);
      backend.affine(before, 1 - omega, before, 0, null, 0);
      backend.scaleRows(before, product!, this.scales[k]!, n, width, true);
      backend.affine(scaledF, omega, F, 0, null, 0);
      backend.scatterAddRows(before, scaledF, index, n, width);
      [before, now] = [now, before];
    }
    backend.transpose(out, now, n, width);
    for (const buffer of [first!, second!, product!, index, F, scaledF]) backend.free(buffer);
  }

  /** The rows of F that are not zero in these columns: a diagonal block. */
  private rightSide(begin: number, width: number): { index: Buffer; F: Buffer; scaledF: Buffer } {
    const { backend } = this;
    const index = backend.upload(Int32Array.from({ length: width }, (_, t) => begin + t));
    const identity = new Float32Array(width * width);
    for (let t = 0; t < width; t++) identity[t * width + t] = 1;
    const F = backend.upload(identity);
    const own = backend.alloc("f32", width);
    backend.gatherRows(own, this.start, index, 1);
    backend.scaleRows(F, F, own, width, width);
    backend.free(own);
    return { index, F, scaledF: backend.alloc("f32", width * width) };
  }

  free(): void {
    for (const buffer of [...this.scales, this.start]) this.backend.free(buffer);
  }
}

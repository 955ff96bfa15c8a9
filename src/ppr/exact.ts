import type { Backend, Buffer, CsrBuffers } from "../backend/backend.ts";
import { check, MemoryError } from "../core/errors.ts";

/** A symmetric adjacency matrix with self loops as a sum of sparse ones; weights are not negative in sum. */
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
 * Â = D^(−1/2)(A + I)D^(−1/2), by Chebyshev iteration on blocks of columns instead of an inverse. `A` comes with its self loops.
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
  for (const [p, part] of A.parts.entries()) backend.rowSums(degrees, part, p > 0);
  const matrix = backend.alloc("f32", n * n);
  const solver = new ChebyshevBlocks(backend, A, degrees, options);
  for (let begin = 0; begin < n; begin += BLOCK_COLUMNS) {
    const width = Math.min(BLOCK_COLUMNS, n - begin);
    const rows = backend.view(matrix, begin * n, width * n); // Π is symmetric: its columns are its rows
    solver.solve(rows, begin, width);
  }
  backend.affineCols(matrix, matrix, solver.finalScale, null, n, n);
  solver.free();
  return { matrix, degrees };
}

/** T_0(1/ρ), T_1(1/ρ), … of the Chebyshev polynomials: as many as it takes to be above 1 / tolerance. */
export function chebyshevValues(rho: number, tolerance: number): number[] {
  const values = [1, 1 / rho];
  while (values.at(-1)! < 1 / tolerance) values.push((2 / rho) * values.at(-1)! - values.at(-2)!);
  return values;
}

/** How the signs of successive iterates go: with + + − − each is the one before last plus something. */
const SIGNS = [1, 1, -1, -1] as const;

/**
 * Solves for Z = D^(1/2)Π, that is (I − ρM)Z = F with ρ = 1 − α, M = (A + I)D⁻¹ and F = αD^(1/2). With T_k = T_k(1/ρ) the
 * iterates y_k = T_k Z_k obey y_{k+1} = 2M y_k + (2/ρ)T_k F − y_{k−1}. They are stored with the signs above, so that one
 * sparse product accumulates the next iterate over the one before last and no other pass over the block is needed.
 */
class ChebyshevBlocks {
  /** What turns the columns of the last iterate into those of Π. */
  readonly finalScale: Buffer;
  private readonly backend: Backend;
  private readonly numNodes: number;
  private readonly values: readonly number[];
  private readonly rho: number;
  /** 2M and −2M, as sums of sparse matrices. */
  private readonly plus: readonly CsrBuffers[];
  private readonly minus: readonly CsrBuffers[];
  /** α√deg. */
  private readonly start: Buffer;

  constructor(backend: Backend, A: SymmetricSum, degrees: Buffer, { alpha, tolerance = 1e-6 }: ExactOptions) {
    this.backend = backend;
    this.numNodes = A.numNodes;
    this.rho = 1 - alpha;
    this.values = chebyshevValues(this.rho, tolerance);
    const last = this.values.length - 1;
    const vector = (of: "sqrt" | "rsqrt" | "reciprocal", factor: number) => {
      const out = backend.alloc("f32", A.numNodes);
      backend.unary(of, out, degrees);
      backend.affine(out, factor, out, 0, null, 0);
      return out;
    };
    this.start = vector("sqrt", alpha);
    this.finalScale = vector("rsqrt", SIGNS[last % 4]! / this.values[last]!);
    const inverse = vector("reciprocal", 2);
    this.plus = A.parts.map((part) => scaleColumns(backend, part, inverse, 1));
    this.minus = A.parts.map((part) => scaleColumns(backend, part, inverse, -1));
    backend.free(inverse);
  }

  /** Writes the last iterate of columns begin … begin + width − 1 into `out` as rows. */
  solve(out: Buffer, begin: number, width: number): void {
    const { backend, numNodes: n, values, rho } = this;
    const { index, F, scaledF } = this.rightSide(begin, width);
    const addF = (to: Buffer, factor: number) => {
      backend.affine(scaledF, factor, F, 0, null, 0);
      backend.scatterAddRows(to, scaledF, index, n, width);
    };
    const [first, second] = [backend.alloc("f32", n * width), backend.alloc("f32", n * width)];
    let [before, now] = [first, second];
    backend.fill(before, 0);
    backend.fill(now, 0);
    addF(now, 1 / rho);
    for (let k = 1; k + 1 < values.length; k++) {
      const sign = SIGNS[(k + 1) % 4]!;
      for (const part of sign === SIGNS[k % 4] ? this.plus : this.minus) backend.spmm(before, part, now, width, true);
      addF(before, (sign * 2 * values[k]!) / rho);
      [before, now] = [now, before];
    }
    backend.transpose(out, now, n, width);
    for (const buffer of [first, second, index, F, scaledF]) backend.free(buffer);
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
    for (const { values } of [...this.plus, ...this.minus]) this.backend.free(values!);
    for (const buffer of [this.start, this.finalScale]) this.backend.free(buffer);
  }
}

/** factor · S_ij · scale_j, on the pattern of S. */
function scaleColumns(backend: Backend, S: CsrBuffers, scale: Buffer, factor: number): CsrBuffers {
  const values = backend.alloc("f32", S.colIdx.length);
  backend.gatherRows(values, scale, S.colIdx, 1);
  if (S.values) backend.binary("mul", values, values, S.values);
  if (factor !== 1) backend.affine(values, factor, values, 0, null, 0);
  return { ...S, values };
}

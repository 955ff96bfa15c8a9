import type { Backend, Buffer } from "../backend/backend.ts";
import type { Csr } from "../graph/csr.ts";
import { normalisedAdjacency } from "../graph/normalise.ts";

/** Rows eliminated at once; views begin at multiples of 64 elements. */
const BLOCK = 64;

/**
 * PageRank α(I − (1 − α)Â)⁻¹ by inverting the dense matrix. The published code does this in every epoch of its adaptive
 * attack; here it is blocked Gauss-Jordan elimination with the fast matrix product. Only for comparison.
 */
export function densePageRank(backend: Backend, A: Csr, alpha: number): Buffer {
  const n = A.numRows;
  const matrix = backend.upload(system(A, alpha));
  for (let begin = 0; begin < n; begin += BLOCK) eliminate(backend, matrix, n, begin, Math.min(BLOCK, n - begin));
  backend.affine({ out: matrix, a: alpha, A: matrix });
  return matrix;
}

/** I − (1 − α)Â. It is symmetric and positive definite, so elimination needs no pivoting. */
function system(A: Csr, alpha: number): Float32Array {
  const { numRows: n, rowPtr, colIdx, values } = normalisedAdjacency(A, "symmetric");
  const dense = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    dense[i * n + i] = 1;
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) dense[i * n + colIdx[e]] -= (1 - alpha) * values![e];
  }
  return dense;
}

/** One block step, in place: M ← M − C·R with R = D⁻¹·(rows of the block) and C the columns of the block. */
function eliminate(backend: Backend, matrix: Buffer, n: number, begin: number, width: number): void {
  const own = backend.view(matrix, begin * n, width * n);
  const inColumns = backend.upload(places(n, n, begin, width));
  const inRows = backend.upload(places(width, n, begin, width));
  const C = backend.alloc("f32", n * width);
  const D = backend.alloc("f32", width * width);
  const inverse = backend.alloc("f32", width * width);
  const R = backend.alloc("f32", width * n);
  backend.gatherRows(C, matrix, inColumns, 1);
  backend.gatherRows(D, own, inRows, 1);
  invertSmall(backend, inverse, D, width);
  backend.affine({ out: C, a: -1, A: C });
  backend.scatterAddRows(matrix, C, inColumns, matrix.length, 1); // the columns of the block become 0 …
  backend.matmul(R, inverse, own, { m: width, n, k: width });
  backend.scatterAddRows(R, inverse, inRows, width * n, 1); // … and those of R become D⁻¹
  backend.fill(backend.view(C, begin * width, width * width), 0);
  backend.matmul(matrix, C, R, { m: n, n, k: width, accumulate: true });
  backend.copy(own, R);
  for (const buffer of [inColumns, inRows, C, D, inverse, R]) backend.free(buffer);
}

/** Where columns begin … begin + width − 1 of a matrix of n columns lie, row by row. */
function places(rows: number, n: number, begin: number, width: number): Int32Array {
  return Int32Array.from({ length: rows * width }, (_, t) => Math.floor(t / width) * n + begin + (t % width));
}

/** The inverse of a block by Newton's iteration X ← X(2I − DX), which needs only products. */
function invertSmall(backend: Backend, out: Buffer, D: Buffer, width: number): void {
  const size = { m: width, n: width, k: width };
  const product = backend.alloc("f32", width * width);
  const next = backend.alloc("f32", width * width);
  const identity = new Float32Array(width * width);
  for (let t = 0; t < width; t++) identity[t * width + t] = 1;
  const I = backend.upload(identity);
  backend.copy(out, I); // ‖I − D‖ < 1, since D is a Schur complement of I − (1 − α)Â
  for (let step = 0; step < 12; step++) {
    backend.matmul(product, D, out, size);
    backend.affine({ out: product, a: -1, A: product, b: 2, B: I });
    backend.matmul(next, out, product, size);
    backend.copy(out, next);
  }
  for (const buffer of [product, next, I]) backend.free(buffer);
}

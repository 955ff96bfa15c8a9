import type { Backend, Buffer, CsrBuffers, PageRankOptions } from "../backend.ts";
import { chebyshevValues } from "../chebyshev-values.ts";

/** Elements of an iterate for one block of columns: 64 MiB, enough to keep a GPU busy with every product. */
const BLOCK_ELEMENTS = 2 ** 24;
/** Views of a buffer begin at multiples of this many elements, so blocks of columns do too. */
const VIEW = 64;
/** Signs with which successive iterates are stored: with + + − − each one is the one before last plus other terms. */
const SIGNS = [1, 1, -1, -1] as const;

/** Exact PageRank from sparse products. */
export function pageRank(parts: Backend): Backend["pageRank"] {
  return (out, matrices, degrees, options) => pageRankByBlocks(parts, out, matrices, degrees, options);
}

/**
 * The same, by blocks of columns; an iterate of a block has at most about `blockElements` elements.
 *
 * Solves for Z = D^(1/2)Π, that is (I − ρM)Z = F with ρ = 1 − α, M = (A + I)D⁻¹ and F = αD^(1/2). With T_k = T_k(1/ρ)
 * the iterates y_k = T_k Z_k obey y_{k+1} = 2M y_k + (2/ρ)T_k F − y_{k−1}. They are stored with the signs above, so
 * that one sparse product accumulates the next iterate over the one before last and no other pass over the block is
 * needed.
 */
export function pageRankByBlocks(
  backend: Backend,
  out: Buffer,
  parts: readonly CsrBuffers[],
  degrees: Buffer,
  { blockElements = BLOCK_ELEMENTS, ...options }: PageRankOptions & { readonly blockElements?: number },
): void {
  const n = parts[0].numRows;
  const solver = new ChebyshevBlocks(backend, parts, degrees, options);
  const columns = Math.max(1, Math.floor(blockElements / n / VIEW)) * VIEW;
  for (let begin = 0; begin < n; begin += columns) {
    const width = Math.min(columns, n - begin);
    solver.solve(backend.view(out, begin * n, width * n), begin, width); // Π is symmetric: its columns are its rows
  }
  solver.free();
}

class ChebyshevBlocks {
  /** Row factors that turn the last iterate into columns of Π. */
  private readonly finalScale: Buffer;
  private readonly backend: Backend;
  private readonly numNodes: number;
  private readonly values: readonly number[];
  private readonly rho: number;
  /** 2M and −2M, as sums of sparse matrices. */
  private readonly plus: readonly CsrBuffers[];
  private readonly minus: readonly CsrBuffers[];
  /** α√deg. */
  private readonly start: Buffer;

  constructor(backend: Backend, parts: readonly CsrBuffers[], degrees: Buffer, options: PageRankOptions) {
    this.backend = backend;
    this.numNodes = parts[0].numRows;
    this.rho = 1 - options.alpha;
    this.values = chebyshevValues(this.rho, options.tolerance);
    const last = this.values.length - 1;
    const vector = (of: "sqrt" | "rsqrt" | "reciprocal", factor: number) => {
      const out = backend.alloc("f32", this.numNodes);
      backend.unary(of, out, degrees);
      backend.affine({ out, a: factor, A: out });
      return out;
    };
    this.start = vector("sqrt", options.alpha);
    this.finalScale = vector("rsqrt", SIGNS[last % 4] / this.values[last]);
    const inverse = vector("reciprocal", 2);
    this.plus = parts.map((part) => scaleColumns(backend, part, inverse, 1));
    this.minus = parts.map((part) => scaleColumns(backend, part, inverse, -1));
    backend.free(inverse);
  }

  /** Writes the last iterate of columns begin … begin + width − 1 into `out` as rows. */
  solve(out: Buffer, begin: number, width: number): void {
    const { backend, numNodes: n, values, rho } = this;
    const padded = 4 * Math.ceil(width / 4); // whole vectors per row; the columns at the end stay 0
    const F = this.rightSide(begin, width, padded);
    const addF = (to: Buffer, factor: number) => {
      const block = backend.view(to, begin * padded, width * padded);
      backend.affine({ out: block, a: 1, A: block, b: factor, B: F });
    };
    const first = backend.alloc("f32", n * padded);
    const second = backend.alloc("f32", n * padded);
    let before = first;
    let now = second;
    backend.fill(before, 0);
    backend.fill(now, 0);
    addF(now, 1 / rho);
    for (let k = 1; k + 1 < values.length; k++) {
      const sign = SIGNS[(k + 1) % 4];
      for (const part of sign === SIGNS[k % 4] ? this.plus : this.minus) backend.spmm(before, part, now, padded, true);
      addF(before, (sign * 2 * values[k]) / rho);
      [before, now] = [now, before];
    }
    backend.transpose(before, now, n, padded);
    backend.affineCols({
      out,
      X: backend.view(before, 0, width * n),
      scale: this.finalScale,
      shift: null,
      rows: width,
      cols: n,
    });
    for (const buffer of [first, second, F]) backend.free(buffer);
  }

  /** The rows of F that are not zero in these columns: a block of a diagonal matrix. */
  private rightSide(begin: number, width: number, padded: number): Buffer {
    const { backend } = this;
    const F = backend.alloc("f32", width * padded);
    const own = backend.alloc("f32", width);
    const [from, to] = [begin, 0].map((first) =>
      backend.upload(Int32Array.from({ length: width }, (_, t) => first + t)),
    );
    backend.gatherRows(own, this.start, from!, 1);
    backend.fill(F, 0);
    backend.pickGrad(F, own, to!, padded);
    for (const buffer of [own, from!, to!]) backend.free(buffer);
    return F;
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
  if (factor !== 1) backend.affine({ out: values, a: factor, A: values });
  return { ...S, values };
}

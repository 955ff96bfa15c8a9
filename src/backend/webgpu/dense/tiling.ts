import type { MatmulSize } from "../../backend.ts";
import type { Constants } from "../device/shader.ts";

/** Fewest multiplications for which the large tiles of `matmul-wide.wgsl` are faster. */
const LARGE = 2 ** 21;

/** How a product is cut into tiles; depends on its shape alone. */
export interface Tiling {
  readonly shader: "matmul" | "matmul-wide";
  /** Rows and columns of the tile of a workgroup. */
  readonly rows: number;
  readonly cols: number;
  readonly constants: Constants;
}

/** For small products, and for rows that are not a multiple of four elements. */
const PLAIN: Tiling = { shader: "matmul", rows: 64, cols: 64, constants: { BM: 64, BN: 64, TM: 4, QUADS: 1 } };
/** For very many rows, and so few columns that most of a plain tile would be empty. */
const SLIM: Tiling = { shader: "matmul", rows: 128, cols: 32, constants: { BM: 128, BN: 32, TM: 4, QUADS: 1 } };
/** Rows from which on a product has enough slim tiles to keep a large GPU busy. */
const MANY_ROWS = 2 ** 16;
/** For results of few and of many columns. */
const NARROW: Tiling = { shader: "matmul-wide", rows: 128, cols: 64, constants: { TX: 8, TY: 16, QUADS: 2 } };
const WIDE: Tiling = { shader: "matmul-wide", rows: 64, cols: 128, constants: { TX: 16, TY: 8, QUADS: 2 } };
/** For up to 256 columns, so that a workgroup has whole rows. */
const WHOLE_ROWS: Tiling = { shader: "matmul-wide", rows: 64, cols: 256, constants: { TX: 32, TY: 8, QUADS: 2 } };

/** For 36 to 56 columns: the tile is as wide as the result, because much of a narrow tile would be empty. */
function fitted(cols: number): Tiling {
  return { shader: "matmul-wide", rows: 128, cols, constants: { TX: cols / 4, TY: 16, QUADS: 1 } };
}

/** Tiles of any product of op(A), [m, k], and op(B), [k, n]. */
export function tilingOf({ m, n, k, transA = false }: MatmulSize): Tiling {
  if (m * n * k < LARGE || (transA ? m : k) % 4 !== 0 || n % 4 !== 0) return m >= MANY_ROWS && n <= 32 ? SLIM : PLAIN;
  const tiling = n > NARROW.cols ? WIDE : n > 32 && n < 60 ? fitted(n) : NARROW;
  return withDepth(tiling, k);
}

/** Tiles as wide as the result, for kernels that need whole rows; null if the large tiles cannot be used. */
export function wholeRowTiling({ m, n, k }: MatmulSize): Tiling | null {
  if (m * n * k < LARGE || n % 4 !== 0 || k % 4 !== 0 || n > WHOLE_ROWS.cols) return null;
  if (n > WIDE.cols) return withDepth(WHOLE_ROWS, k, 8); // strips of B this wide are no deeper
  return withDepth(n > NARROW.cols ? WIDE : NARROW, k);
}

/** Adds BK, the steps of k per strip, and EXACT: whether k is a multiple of BK. */
function withDepth(tiling: Tiling, k: number, BK = k % 16 > 0 && k < 128 ? 8 : 16): Tiling {
  return { ...tiling, constants: { ...tiling.constants, BK, EXACT: Number(k % BK === 0) } };
}

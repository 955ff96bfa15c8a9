import type { Scale } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { NamedBuffers, NamedNumbers } from "../device/pipelines.ts";
import type { Constants, ShaderName } from "../device/shader.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { type RowVectors, rowVectors } from "../shared/row-vectors.ts";

/** Most threads per row: panels of 64 columns (128 of halves) of 169,000 rows stay in the cache of a large GPU. */
const MAX_LANES = 16;

/** How the rows of a sparse product are distributed over threads. */
interface Sharing {
  /** Threads of a workgroup. */
  readonly THREADS: number;
  /** A row with more entries is computed by all threads of its workgroup together. */
  readonly LONG: number;
}

const USUAL: Sharing = { THREADS: 128, LONG: 128 };
const SMALL_GROUPS: Sharing = { THREADS: 64, LONG: 64 };

/**
 * For rows of very different lengths, with at most `entries` entries in all. A workgroup is done when its longest row
 * is, so small workgroups are faster. Exceptions: most rows are long, or there is so little work that the longest row
 * takes the time.
 */
export function unevenRows(entries: number, rows: number, vectors: RowVectors): Sharing {
  const isShort = entries < 32 * rows;
  const isMuch = rows * sparseLanes(vectors).panels >= 2 ** 17;
  return isShort && isMuch ? SMALL_GROUPS : USUAL;
}

interface SparseLanes {
  /** Threads that share a row: a power of two, or one per vector if a row has 5 to 15 whole vectors. */
  readonly lanes: number;
  /** Number of panels of columns; a lane has one vector of each. */
  readonly panels: number;
}

export function sparseLanes({ width, put }: RowVectors): SparseLanes {
  if (width > MAX_LANES / 4 && width < MAX_LANES && put === "put-vectors") return { lanes: width, panels: 1 };
  let lanes = 1;
  while (lanes < MAX_LANES && lanes < width) lanes *= 2;
  return { lanes, panels: Math.ceil(width / lanes) };
}

/** Sums over the entries of sparse rows by `spmm.wgsl`. */
export interface SparseRows {
  /** Files that read the entries of a row and store their sum. */
  readonly with: readonly ShaderName[];
  readonly constants: Constants;
  readonly rows: number;
  readonly cols: number;
  /** Vectors of a row; for matrices side by side, those of one of them alone. Default: {@link rowVectors}. */
  readonly vectors?: RowVectors;
  /** How rows are distributed. Default: for rows of similar lengths. */
  readonly sharing?: Sharing;
  /** Loads in flight per thread, 6 or 8, as its registers allow. Default 8. */
  readonly atOnce?: number;
  /** Arguments and parameters for `count` rows from `begin` on. */
  readonly piece: (begin: number, count: number) => { readonly bind: NamedBuffers; readonly params?: NamedNumbers };
}

/** Launches `spmm.wgsl` over pieces of rows that fit a binding. */
export function overSparseRows(gpu: Gpu, kernel: SparseRows): void {
  const { with: files, constants, rows, cols, vectors = rowVectors(cols), sharing = USUAL, atOnce = 8, piece } = kernel;
  if (cols === 0) return;
  const { T, size } = vectors;
  const { lanes } = sparseLanes(vectors);
  const width = Math.ceil(cols / size);
  const panels = Math.ceil(width / lanes);
  const { THREADS, LONG } = sharing;
  rowPieces(gpu, rows, cols, (begin, count) => {
    const rowGroups = Math.ceil(count / Math.floor(THREADS / lanes));
    const { bind, params } = piece(begin, count);
    gpu.launch({
      shader: "spmm",
      with: files,
      constants: { ...constants, T, LANES: lanes, THREADS, LONG, AT_ONCE: atOnce },
      bind,
      params: { ...params, ...vectors.params, rows: count, cols: width, rowGroups },
      groups: rowGroups * panels,
    });
  });
}

/** Whether the left factor of a product is scaled, and whether the right one is. */
export function sideFlags(scale: Scale | undefined) {
  return { LEFT: Number(!!scale && scale.sides !== "right"), RIGHT: Number(!!scale && scale.sides !== "left") };
}

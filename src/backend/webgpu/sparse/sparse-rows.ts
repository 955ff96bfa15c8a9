import type { Scale } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { NamedBuffers, NamedNumbers } from "../device/pipelines.ts";
import type { Constants, ShaderName } from "../device/shader.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { type RowVectors, rowVectors } from "../shared/row-vectors.ts";

/** Most threads per row of a sparse product: panels of 64 columns (128 of halves) of 169,000 rows stay in the cache of a large GPU. */
const MAX_LANES = 16;

/** How the rows of a sparse product are shared out. */
interface Sharing {
  /** Of a workgroup. */
  readonly THREADS: number;
  /** Rows with more entries are shared by all threads of their workgroup, one after the other. */
  readonly LONG: number;
}

const USUAL: Sharing = { THREADS: 128, LONG: 128 };
const SMALL_GROUPS: Sharing = { THREADS: 64, LONG: 64 };

/**
 * For rows of very different lengths, `entries` in all at most. A workgroup waits for its longest row, so that small ones are
 * faster; not where most rows are long, nor where there is so little to do that the longest row of all would be waited for.
 */
export function unevenRows(entries: number, rows: number, vectors: RowVectors): Sharing {
  const isShort = entries < 32 * rows;
  const isMuch = rows * sparseLanes(vectors).panels >= 2 ** 17;
  return isShort && isMuch ? SMALL_GROUPS : USUAL;
}

interface SparseLanes {
  /** Threads that share a row: a power of two, or as many as a narrow row has vectors, if they are whole. */
  readonly lanes: number;
  /** Panels of as many columns as the lanes have. */
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
  /** Files that say which entries a row has and what becomes of their sum. */
  readonly with: readonly ShaderName[];
  readonly constants: Constants;
  readonly rows: number;
  readonly cols: number;
  /** How they are read and written; where several matrices stand side by side, how those of one alone are. Default: by fours, or one by one. */
  readonly vectors?: RowVectors;
  /** How rows are shared out. Default: for rows of similar lengths. */
  readonly sharing?: Sharing;
  /** Loads in flight per thread, 6 or 8: as many entries as its registers have room for. */
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

import type { Backend, MatmulSize } from "../backend.ts";
import { type Gpu, WORKGROUP } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { rowPieces } from "./row-pieces.ts";

/** Workgroups that keep a large GPU busy; products with fewer tiles and a long k are split along k. */
const ENOUGH_GROUPS = 512;
/** Least length of a part of k. */
const MIN_CHUNK = 512;

/** A tile: rows and columns of a workgroup, rows and groups of four columns of a thread. */
interface Tile {
  readonly BM: number;
  readonly BN: number;
  readonly TM: number;
  readonly QUADS: number;
}

/** For wide, medium and narrow results: few columns would leave most of a wide tile idle. */
const SMALL: Tile = { BM: 64, BN: 64, TM: 4, QUADS: 1 };

/** Results of at most this many rows and columns are cut into small tiles. */
const SMALL_SIDE = 256;

const TILES: readonly (Tile & { readonly upTo: number })[] = [
  { upTo: 16, BM: 256, BN: 16, TM: 4, QUADS: 1 },
  { upTo: 64, BM: 128, BN: 64, TM: 8, QUADS: 1 },
  { upTo: Number.POSITIVE_INFINITY, BM: 128, BN: 128, TM: 8, QUADS: 2 },
];

/** Matrix product. Tiles and parts depend on the shape alone, so that a shape has the same bits every time. */
export function matmul(gpu: Gpu): Pick<Backend, "matmul"> {
  return {
    matmul(out, A, B, size) {
      const { m, n, k, transA = false, transB = false, accumulate = false } = size;
      const y = gpu.floats("matmul", "out", out, m * n);
      const [a, b] = [gpu.floats("matmul", "A", A, m * k), gpu.floats("matmul", "B", B, k * n)];
      if (m === 0 || n === 0) return;
      const shape = { m, n, k, transA, transB, accumulate };
      if (transA) return splitRowsOfK(gpu, y, a, b, shape);
      rowPieces(gpu, m, Math.max(n, k), (begin, count) => {
        product(gpu, y.window(begin * n, count * n), a.window(begin * k, count * k), b, { ...shape, m: count });
      });
    },
  };
}

/** Aᵀ·op(B): k counts the rows of A, which may be more than a binding holds. */
function splitRowsOfK(gpu: Gpu, out: GpuBuffer, A: GpuBuffer, B: GpuBuffer, shape: Required<MatmulSize>): void {
  const { m, n, k, transB, accumulate } = shape;
  if (transB || k === 0) {
    product(gpu, out, A, B, shape);
    return;
  }
  rowPieces(gpu, k, Math.max(m, n), (begin, count) => {
    const piece = { ...shape, k: count, accumulate: accumulate || begin > 0 };
    product(gpu, out, A.window(begin * m, count * m), B.window(begin * n, count * n), piece);
  });
}

function product(gpu: Gpu, out: GpuBuffer, A: GpuBuffer, B: GpuBuffer, shape: Required<MatmulSize>): void {
  const { m, n, k, transA, transB, accumulate } = shape;
  const tile: Tile = Math.max(m, n) <= SMALL_SIDE ? SMALL : TILES.find(({ upTo }) => n <= upTo)!;
  const [tilesM, tilesN] = [Math.ceil(m / tile.BM), Math.ceil(n / tile.BN)];
  const tiles = tilesM * tilesN;
  const wanted = Math.ceil(ENOUGH_GROUPS / tiles);
  const parts = Math.max(1, Math.min(wanted, Math.floor(k / MIN_CHUNK)));
  const chunk = Math.max(16, Math.ceil(k / parts / 16) * 16);
  const launch = (to: GpuBuffer, add: boolean, count: number) => {
    const { BM, BN, TM, QUADS } = tile;
    const flags = { TRANS_A: Number(transA), TRANS_B: Number(transB) };
    const kernel = gpu.kernel(`matmul ${tile.BM} ${tile.BN} ${Object.values(flags)}`, () => ({
      files: ["common", "matmul"],
      defines: { BM, BN, TM, QUADS, ...flags },
    }));
    gpu.run(kernel, [to, A, B], [m, n, k, tilesM, tilesN, chunk, Number(add)], tiles * count);
  };
  const count = Math.max(1, Math.ceil(k / chunk));
  if (count === 1) {
    launch(out, accumulate, 1);
    return;
  }
  gpu.borrow([["f32", count * m * n]], (partial) => {
    launch(partial, false, count);
    const ACCUMULATE = Number(accumulate);
    const kernel = gpu.kernel(`sum-parts ${accumulate}`, () => ({
      files: ["common", "sum-parts"],
      defines: { ACCUMULATE },
    }));
    gpu.run(kernel, [out, partial], [m * n, count], Math.ceil((m * n) / WORKGROUP));
  });
}

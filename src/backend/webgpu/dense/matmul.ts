import type { Backend, MatmulSize } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import type { KeptTransposes } from "./kept-transposes.ts";

/** Workgroups that keep a large GPU busy; products with fewer tiles and a long k are split along k. */
const ENOUGH_GROUPS = 512;
/** Least length of a part of k. */
const MIN_CHUNK = 512;

/** Multiplications from which a product is worth the large tiles of `matmul-wide.wgsl`. */
export const LARGE = 2 ** 21;

type Shape = Required<MatmulSize>;

/** How a product is cut up, by the shape alone. */
export interface Plan {
  readonly file: "matmul" | "matmul-wide";
  /** Rows and columns of the tile of a workgroup. */
  readonly BM: number;
  readonly BN: number;
  readonly defines: Readonly<Record<string, number>>;
}

/** Small products, and rows that are not whole groups of four elements. */
const PLAIN: Plan = { file: "matmul", BM: 64, BN: 64, defines: { BM: 64, BN: 64, TM: 4, QUADS: 1 } };
/** For results of few and of many columns. */
export const NARROW: Plan = { file: "matmul-wide", BM: 128, BN: 64, defines: { TX: 8, TY: 16, QUADS: 2 } };
export const WIDE: Plan = { file: "matmul-wide", BM: 64, BN: 128, defines: { TX: 16, TY: 8, QUADS: 2 } };
/** For 36 to 56 columns, which would leave much of a narrow tile empty: the tile is as wide as the result. */
const fitted = (n: number): Plan => ({
  ...{ file: "matmul-wide", BM: 128, BN: n, defines: { TX: n / 4, TY: 16, QUADS: 1 } },
});

function planFor({ m, n, k, transA }: Shape): Plan {
  if (m * n * k < LARGE || (transA ? m : k) % 4 !== 0 || n % 4 !== 0) return PLAIN;
  const plan = n > 64 ? WIDE : n > 32 && n < 60 ? fitted(n) : NARROW;
  return withDepth(plan, k);
}

/** The plan with as many of the k steps per strip as suit them. EXACT: strips end where k does. */
export function withDepth(plan: Plan, k: number, BK = k % 16 > 0 && k < 128 ? 8 : 16): Plan {
  return { ...plan, defines: { ...plan.defines, BK, EXACT: Number(k % BK === 0) } };
}

/** Matrix product. Tiles and parts depend on the shape alone, so that a shape has the same bits every time. */
export function matmul(gpu: Gpu, turned: KeptTransposes): Required<Pick<Backend, "matmul" | "reluGradProduct">> {
  return {
    matmul(out, A, B, size, { bias, relu = false } = {}) {
      const { m, n, k, transA = false, transB = false, accumulate = false } = size;
      const y = gpu.floats("matmul", "out", out, m * n);
      const a = gpu.floats("matmul", "A", A, m * k);
      const b = gpu.floats("matmul", "B", B, k * n);
      if (m === 0 || n === 0) return;
      const shape = { m, n, k, transA, transB, accumulate };
      const finish = { bias: gpu.floatsOrNone("matmul", "bias", bias, n), relu };
      if (transA) return splitRowsOfK(gpu, turned, y, a, b, shape, finish);
      rowPieces(gpu, m, Math.max(n, k), (begin, count) => {
        const to = y.window(begin * n, count * n);
        const from = a.window(begin * k, count * k);
        product(gpu, turned, to, from, b, { ...shape, m: count }, finish);
      });
    },
    reluGradProduct(dX, dY, Y, W, { m, n, k, accumulate = false }) {
      const name = "reluGradProduct";
      const dx = gpu.floats(name, "dX", dX, m * k);
      const dy = gpu.floats(name, "dY", dY, m * n);
      const y = gpu.floats(name, "Y", Y, m * n);
      const w = gpu.floats(name, "W", W, k * n);
      const shape = { m, n: k, k: n, transA: false, transB: true, accumulate };
      rowPieces(gpu, m, Math.max(n, k), (begin, count) => {
        const piece = (buffer: GpuBuffer, cols: number) => buffer.window(begin * cols, count * cols);
        product(gpu, turned, piece(dx, k), piece(dy, n), w, { ...shape, m: count }, UNFINISHED, piece(y, n));
      });
    },
  };
}

/** What the kernel that stores the result finishes it with. */
interface Finishing {
  readonly bias: GpuBuffer | null;
  readonly relu: boolean;
}

const UNFINISHED: Finishing = { bias: null, relu: false };

/** Aᵀ·op(B): k counts the rows of A, which may be more than a binding holds. */
function splitRowsOfK(
  gpu: Gpu,
  turned: KeptTransposes,
  out: GpuBuffer,
  A: GpuBuffer,
  B: GpuBuffer,
  shape: Shape,
  finish: Finishing,
): void {
  const { m, n, k, transB, accumulate } = shape;
  if (transB || k === 0) {
    product(gpu, turned, out, A, B, shape, finish);
    return;
  }
  rowPieces(gpu, k, Math.max(m, n), (begin, count) => {
    const piece = { ...shape, k: count, accumulate: accumulate || begin > 0 };
    const a = A.window(begin * m, count * m);
    const b = B.window(begin * n, count * n);
    product(gpu, turned, out, a, b, piece, begin + count < k ? UNFINISHED : finish);
  });
}

/** With `mask`, elements of A count as 0 where those of the mask are not above 0. */
function product(
  gpu: Gpu,
  turned: KeptTransposes,
  out: GpuBuffer,
  A: GpuBuffer,
  B: GpuBuffer,
  shape: Shape,
  finish: Finishing,
  mask: GpuBuffer | null = null,
): void {
  const { m, n, k, transA, transB, accumulate } = shape;
  const { file, BM, BN, defines } = planFor(shape);
  if (transB && file === "matmul-wide") {
    // B is a matrix of weights, small beside A: turned first, its tiles are read without bank conflicts
    turned.lend(B, n, k, (columns) => product(gpu, turned, out, A, columns, { ...shape, transB: false }, finish, mask));
    return;
  }
  const tilesM = Math.ceil(m / BM);
  const tilesN = Math.ceil(n / BN);
  const tiles = tilesM * tilesN;
  const wanted = Math.max(1, Math.min(Math.ceil(ENOUGH_GROUPS / tiles), Math.floor(k / MIN_CHUNK)));
  const chunk = Math.max(16, Math.ceil(k / wanted / 16) * 16);
  const parts = Math.max(1, Math.ceil(k / chunk));
  const flags = { ...defines, TRANS_A: Number(transA), TRANS_B: Number(transB), MASKED: Number(mask !== null) };
  const files = file === "matmul" ? (["threads", file] as const) : (["threads", file, "matmul-store"] as const);
  const kernel = gpu.kernel(`${file} ${Object.values(flags)}`, () => ({ files, defines: flags }));
  const launch = (to: GpuBuffer, add: boolean, last: Finishing) =>
    gpu.run(kernel, [to, A, B, last.bias, mask], [m, n, k, tilesM, tilesN, chunk, bits(add, last)], tiles * parts);
  if (parts === 1) {
    launch(out, accumulate, finish);
    return;
  }
  gpu.borrow([["f32", parts * m * n]], (partial) => {
    launch(partial, false, UNFINISHED);
    const sum = gpu.kernel("sum-parts", () => ({ files: ["threads", "sum-parts"] }));
    const params = [m * n, parts, n, bits(accumulate, finish)];
    gpu.run(sum, [out, partial, finish.bias], params, Math.ceil((m * n) / WORKGROUP));
  });
}

/** What happens to a sum before it is stored, as in the shaders: parameters, because variants take long to compile. */
export function bits(accumulate: boolean, { bias, relu }: Finishing): number {
  return Number(accumulate) + 2 * Number(bias !== null) + 4 * Number(relu);
}

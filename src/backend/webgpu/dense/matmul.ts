import type { Backend, MatmulSize } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { type Finish, finishBits } from "../shared/finish-bits.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import type { HalfProducts } from "./half-products.ts";
import type { KeptTransposes } from "./kept-transposes.ts";
import { type Tiling, tilingOf } from "./tiling.ts";

/** Workgroups that keep a large GPU busy; products with fewer tiles are split along k if it is long. */
const ENOUGH_GROUPS = 512;
/** Least length of a part of k. */
const MIN_CHUNK = 512;

const UNFINISHED: Finish = { bias: null, relu: false };

/** out = finish(op(A)·op(B)). */
interface Product {
  readonly out: GpuBuffer;
  readonly A: GpuBuffer;
  readonly B: GpuBuffer;
  readonly shape: Required<Omit<MatmulSize, "accumulate">>;
  readonly finish: Finish;
  /** Elements of A are taken as 0 where the mask is not above 0. */
  readonly mask: GpuBuffer | null;
}

/** Matrix products. Tiles and parts depend on the shape alone, so that the same inputs always give the same bits. */
export function matmul(
  gpu: Gpu,
  transposes: KeptTransposes,
  halves: HalfProducts,
): Pick<Backend, "matmul" | "reluGradProduct"> {
  return {
    matmul(out, A, B, { m, n, k, transA = false, transB = false, accumulate = false }, { bias, relu = false } = {}) {
      const y = gpu.floats("matmul", "out", out, m * n);
      const a = gpu.floats("matmul", "A", A, m * k);
      const b = gpu.floats("matmul", "B", B, k * n);
      if (m === 0 || n === 0) return;
      const shape = { m, n, k, transA, transB };
      const finish = { accumulate, bias: gpu.floatsOrNone("matmul", "bias", bias, n), relu };
      const whole = { out: y, A: a, B: b, shape, finish, mask: null };
      if (transA) return splitRowsOfK(gpu, transposes, whole);
      rowPieces(gpu, m, [n, k], (begin, count) => {
        const to = y.window(begin * n, count * n);
        const from = a.window(begin * k, count * k);
        const part = { ...whole, out: to, A: from, shape: { ...shape, m: count } };
        if (halves.suit(part.shape)) halves.launch(part);
        else product(gpu, transposes, part);
      });
    },
    reluGradProduct(dX, dY, Y, W, { m, n, k, accumulate = false }) {
      const name = "reluGradProduct";
      const dx = gpu.floats(name, "dX", dX, m * k);
      const dy = gpu.floats(name, "dY", dY, m * n);
      const y = gpu.floats(name, "Y", Y, m * n);
      const w = gpu.floats(name, "W", W, k * n);
      const finish = { ...UNFINISHED, accumulate };
      rowPieces(gpu, m, [n, k], (begin, count) => {
        const piece = (buffer: GpuBuffer, cols: number) => buffer.window(begin * cols, count * cols);
        const shape = { m: count, n: k, k: n, transA: false, transB: true };
        product(gpu, transposes, { out: piece(dx, k), A: piece(dy, n), B: w, shape, finish, mask: piece(y, n) });
      });
    },
  };
}

/** Aᵀ·op(B), in pieces of k: k is the number of rows of A, which may be too large for one binding. */
function splitRowsOfK(gpu: Gpu, transposes: KeptTransposes, whole: Product): void {
  const { out, A, B, shape, finish } = whole;
  const { m, n, k, transB } = shape;
  if (transB || k === 0) {
    product(gpu, transposes, whole);
    return;
  }
  rowPieces(gpu, k, [m, n], (begin, count) => {
    const isLast = begin + count === k;
    product(gpu, transposes, {
      out,
      A: A.window(begin * m, count * m),
      B: B.window(begin * n, count * n),
      shape: { ...shape, k: count },
      finish: { ...(isLast ? finish : UNFINISHED), accumulate: finish.accumulate || begin > 0 },
      mask: null,
    });
  });
}

function product(gpu: Gpu, transposes: KeptTransposes, whole: Product): void {
  const { out, B, shape, finish } = whole;
  const { m, n, k, transB } = shape;
  const tiling = tilingOf(shape);
  if (transB && tiling.shader === "matmul-wide") {
    // B is usually weights, small compared with A: transpose it first, so that tiles are read without bank conflicts
    transposes.lend(B, n, k, (columns) =>
      product(gpu, transposes, { ...whole, B: columns, shape: { ...shape, transB: false } }),
    );
    return;
  }
  const { chunk, numParts } = partsOfK(m, n, k, tiling);
  if (numParts === 1) {
    multiplyTiles(gpu, tiling, whole, { chunk, numParts });
    return;
  }
  gpu.borrow({ parts: { f32: numParts * m * n } }, ({ parts }) => {
    multiplyTiles(gpu, tiling, { ...whole, out: parts, finish: UNFINISHED }, { chunk, numParts });
    gpu.launch({
      shader: "sum-parts",
      bind: { out, parts, bias: finish.bias },
      params: { length: m * n, numParts, cols: n, finish: finishBits(finish) },
      threads: m * n,
    });
  });
}

/** Length and number of the parts into which a product is split along k. */
export function partsOfK(m: number, n: number, k: number, { rows, cols }: Tiling) {
  const tiles = Math.ceil(m / rows) * Math.ceil(n / cols);
  const wanted = Math.max(1, Math.min(Math.ceil(ENOUGH_GROUPS / tiles), Math.floor(k / MIN_CHUNK)));
  const chunk = Math.max(16, Math.ceil(k / wanted / 16) * 16);
  return { chunk, numParts: Math.max(1, Math.ceil(k / chunk)) };
}

/** Writes one [m, n] result for each part of k. */
function multiplyTiles(
  gpu: Gpu,
  { shader, rows, cols, constants }: Tiling,
  { out, A, B, shape, finish, mask }: Product,
  { chunk, numParts }: { chunk: number; numParts: number },
): void {
  const { m, n, k, transA, transB } = shape;
  const tilesM = Math.ceil(m / rows);
  const tilesN = Math.ceil(n / cols);
  const flags = { TRANS_A: Number(transA), MASKED: Number(mask !== null) };
  gpu.launch({
    shader,
    with: shader === "matmul-wide" ? ["matmul-store"] : [],
    constants:
      shader === "matmul-wide" ? { ...constants, ...flags } : { ...constants, ...flags, TRANS_B: Number(transB) },
    bind: { out, A, B, bias: finish.bias, mask },
    params: { m, n, k, tilesM, tilesN, chunk, finish: finishBits(finish) },
    groups: tilesM * tilesN * numParts,
  });
}

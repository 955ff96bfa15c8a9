import type { Backend } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowPieces } from "../shared/row-pieces.ts";

/** Parts of a reduction; a second launch adds them up. */
const MAX_PARTS = 1024;
const MAX_ROW_CHUNKS = 256;
/** Matrices in several pieces have a shorter chunk at the end of each. */
const SPARE_PARTS = 16;

type Reductions = Pick<Backend, "dot" | "max" | "countEqual" | "colDots">;

/** Reductions: fixed chunks, each added up in a fixed order (rule R1). */
export function reductions(gpu: Gpu): Reductions {
  const pass = (kind: number, out: GpuBuffer, A: GpuBuffer, B: GpuBuffer | null, length: number, parts: number) => {
    const T = kind === 3 ? "u32" : "f32";
    const kernel = gpu.kernel(`reduce ${kind}`, () => ({ files: ["threads", "reduce"], defines: { T, KIND: kind } }));
    const params = [length, Math.max(1, Math.ceil(length / parts)), Number.NEGATIVE_INFINITY];
    gpu.run(kernel, [out, A, B], params, parts);
  };
  const reduce = (kind: number, out: GpuBuffer, A: GpuBuffer, B: GpuBuffer | null) => {
    const { length } = A;
    const parts = Math.min(MAX_PARTS, Math.ceil(length / (8 * WORKGROUP)));
    if (parts <= 1) return pass(kind, out, A, B, length, 1);
    gpu.borrow([["f32", parts]], (partial) => {
      pass(kind, partial, A, B, length, parts);
      pass(kind === 2 ? 2 : 1, out, partial, null, Math.ceil(length / Math.ceil(length / parts)), 1);
    });
  };
  return {
    dot(out, A, B) {
      const y = gpu.floats("dot", "out", out, 1);
      const a = gpu.floats("dot", "A", A);
      reduce(B ? 0 : 1, y, a, gpu.floatsOrNone("dot", "B", B, A.length));
    },
    max(out, X) {
      reduce(2, gpu.floats("max", "out", out, 1), gpu.floats("max", "X", X), null);
    },
    countEqual(out, A, B) {
      const y = gpu.floats("countEqual", "out", out, 1);
      const a = gpu.ints("countEqual", "A", A);
      reduce(3, y, a, gpu.ints("countEqual", "B", B, A.length));
    },
    colDots(out, A, B, rows, cols) {
      const y = gpu.floats("colDots", "out", out, cols);
      const a = gpu.floats("colDots", "A", A, rows * cols);
      const b = gpu.floatsOrNone("colDots", "B", B, rows * cols);
      let width = 1;
      while (width < cols && width < 64) width *= 2;
      const colGroups = Math.ceil(cols / width);
      const sum = (to: GpuBuffer, X: GpuBuffer, Y: GpuBuffer | null, size: number, chunk: number, first: number) => {
        const defines = { COLS: width, HAS_B: Number(Y !== null) };
        const kernel = gpu.kernel(`col-dots ${Object.values(defines)}`, () => ({
          files: ["threads", "col-dots"],
          defines,
        }));
        const chunks = Math.max(1, Math.ceil(size / chunk));
        gpu.run(kernel, [to, X, Y], [size, cols, chunk, colGroups, first], chunks * colGroups);
      };
      const chunk = Math.max(64, Math.ceil(rows / MAX_ROW_CHUNKS / 64) * 64);
      const chunks = Math.ceil(rows / chunk);
      if (chunks <= 1) return sum(y, a, b, rows, chunk, 0);
      gpu.borrow([["f32", (chunks + SPARE_PARTS) * cols]], (parts) => {
        let first = 0;
        rowPieces(gpu, rows, cols, (begin, count) => {
          const from = begin * cols;
          const size = count * cols;
          sum(parts, a.window(from, size), b?.window(from, size) ?? null, count, chunk, first);
          first += Math.ceil(count / chunk);
        });
        sum(y, parts, null, first, Math.max(first, 1), 0);
      });
    },
  };
}

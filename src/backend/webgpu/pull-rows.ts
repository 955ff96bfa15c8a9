import type { Backend } from "../backend.ts";
import { type Gpu, WORKGROUP } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { rowPieces } from "./row-pieces.ts";
import { perSparseRows } from "./sparse.ts";

/** Columns whose medians two words of bits say of an entry that it holds them. */
const PANEL = 64;

/** Direct, pull and the bits of all columns, in whole vec4s. */
export const termSize = (cols: number) => 4 * (Math.floor(panelsOf(cols) / 2) + 1);

const panelsOf = (cols: number) => Math.ceil(cols / PANEL);

/** Whether terms have room for bits, so that they are there. */
export const hasBits = (terms: GpuBuffer, entries: number, cols: number) => terms.length >= termSize(cols) * entries;

/** What rows pull from others, and what they get as holders of medians. */
export function pullRows(gpu: Gpu, { gatherRows }: Pick<Backend, "gatherRows">): Pick<Backend, "pullRows"> {
  return {
    pullRows(dX, S, { held, ...from }, cols, accumulate = false) {
      const name = "pullRows";
      const { rowPtr, colIdx } = gpu.csr(name, S);
      const [y, x] = [gpu.floats(name, "dX", dX, S.numRows * cols), gpu.floats(name, "X", from.X, S.numRows * cols)];
      const size = S.numCols * cols;
      const [g, m] = [gpu.floats(name, "G", from.G, size), gpu.floats(name, "M", from.M, size)];
      const grad = gpu.floatsOrNone(name, "held.grad", held?.grad, size);
      const holder = held ? gpu.ints(name, "held.at", held.at, size) : null;
      const [terms, order] = [gpu.floats(name, "terms", from.terms), gpu.ints(name, "order", from.order)];
      const { length } = order;
      if (!grad || !hasBits(terms, length, cols)) {
        gpu.borrow([["f32", 2 * length]], (turned) => {
          gatherRows(turned, terms, order, 2);
          pull(turned, Number(grad !== null));
        });
        return;
      }
      const panels = panelsOf(cols);
      gpu.borrow([["f32", 2 * length] as const, ["i32", 2 * panels * length] as const], (turned, bits) => {
        const kernel = gpu.kernel("turn-terms", () => ({ files: ["common", "turn-terms"] }));
        gpu.run(kernel, [turned, bits, terms, order], [length, panels], Math.ceil(length / WORKGROUP));
        pull(turned, 0);
        addHeld(bits, grad, panels);
      });

      function pull(turned: GpuBuffer, HELD: number): void {
        const flags = { ACCUMULATE: Number(accumulate), HELD };
        perSparseRows(gpu, ["pull-entries"], flags, S.numRows, cols, (begin, count) => {
          const [to, own] = [y, x].map((rows) => rows.window(begin * cols, count * cols));
          const args = [to!, rowPtr.window(begin, count + 1), colIdx, turned, g, m, own!, grad, holder];
          return { args, params: [begin] };
        });
      }

      function addHeld(bits: GpuBuffer, grad: GpuBuffer, panels: number): void {
        const kernel = gpu.kernel("held-grads", () => ({ files: ["common", "held-grads"] }));
        rowPieces(gpu, S.numRows, cols, (begin, count) => {
          const args = [y.window(begin * cols, count * cols), rowPtr.window(begin, count + 1), colIdx, bits, grad];
          gpu.run(kernel, args, [count, cols, panels], count);
        });
      }
    },
  };
}

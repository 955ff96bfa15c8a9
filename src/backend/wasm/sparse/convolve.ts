import type { Backend, Buffer, FinishBuffers, Scale } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";
import { sparseGrain } from "./sparse.ts";

type Fused = Pick<Backend, "convolve" | "finishGrad" | "sddmm" | "matmul">;

const NO_ENTRIES = { rowPtr: 0, colIdx: 0, values: 0, entries: 0 };

/** Products that are scaled before, and finished afterwards in one pass. */
export function convolve(engine: Engine, plain: Pick<Backend, "scaleRows" | "sddmm" | "matmul">): Fused {
  return {
    convolve(out, { A, B }, X, cols, scale, finish = {}) {
      const name = "convolve";
      const { numRows } = A;
      const a = engine.csr(name, A);
      const b = B ? engine.csr(name, B) : NO_ENTRIES;
      const y = engine.floats(name, "out", out, numRows * cols);
      const left = scale.sides === "right" ? 0 : engine.floats(name, "scale.by", scale.by, numRows);
      const bias = engine.floatsOrNone(name, "bias", finish.bias ?? null, cols);
      scaled(scale, "right", X, numRows, cols, (from) => {
        const x = engine.floats(name, "X", from, numRows * cols);
        const edges = [a.rowPtr, a.colIdx, b.rowPtr, b.colIdx, b.values];
        const grain = sparseGrain(a.entries + b.entries, numRows, cols);
        const cut = Number(finish.relu ?? false);
        engine.run(name, numRows, grain, y, ...edges, x, numRows, left, bias, cols, cut);
      });
    },
    finishGrad(dZ, dots, dY, Y, rows, cols, { bias, relu = false }) {
      const name = "finishGrad";
      const dy = engine.floats(name, "dY", dY, rows * cols);
      const y = engine.floats(name, "Y", Y, rows * cols);
      const dz = relu ? engine.floats(name, "dZ", dZ, rows * cols) : 0;
      const sums = engine.floats(name, "dots", dots, rows);
      const b = engine.floatsOrNone(name, "bias", bias ?? null, cols);
      engine.run(name, rows, rowGrain(cols), dz, sums, dy, y, b, cols, Number(relu));
    },
    sddmm(out, pairs, P, Q, cols, { scale, ...options } = {}) {
      const product = (p: Buffer, q: Buffer) => plain.sddmm(out, pairs, p, q, cols, options);
      if (!scale) return product(P, Q);
      scaled(scale, "left", P, pairs.numNodes, cols, (p) => {
        scaled(scale, "right", Q, pairs.numNodes, cols, (q) => product(p, q));
      });
    },
    matmul(out, A, B, size, finish) {
      plain.matmul(out, A, B, size);
      if (finish) finishRows(engine.floats("matmul", "out", out), size.m, size.n, finish);
    },
  };

  function finishRows(y: number, rows: number, cols: number, { bias, relu = false }: FinishBuffers): void {
    const b = engine.floatsOrNone("matmul", "bias", bias ?? null, cols);
    if (b || relu) engine.run("finishRows", rows, rowGrain(cols), y, b, cols, Number(relu));
  }

  /** L·X or R·X for the time of `use`: X itself where that side is not scaled. */
  function scaled(
    { by, sides }: Scale,
    side: "left" | "right",
    X: Buffer,
    rows: number,
    cols: number,
    use: (X: Buffer) => void,
  ): void {
    const isScaled = sides === side || sides === "both";
    if (!isScaled) {
      use(X);
      return;
    }
    engine.borrow("f32", rows * cols, (temporary) => {
      plain.scaleRows(temporary, X, by, rows, cols);
      use(temporary);
    });
  }
}

import type { Backend, Buffer, FinishBuffers, Scale } from "../backend.ts";
import { type Engine, rowGrain } from "./engine.ts";

type Fused = Pick<Backend, "convolve" | "finishGrad" | "sddmm" | "matmul">;

/** Products that are scaled before, and finished afterwards in one pass. */
export function convolve(engine: Engine, plain: Pick<Backend, "scaleRows" | "spmm" | "sddmm" | "matmul">): Fused {
  return {
    convolve(out, { A, B }, X, cols, scale, finish = {}) {
      const { numRows } = A;
      const y = engine.floats("convolve", "out", out, numRows * cols);
      scaled(scale, "right", X, numRows, cols, (from) => {
        plain.spmm(out, A, from, cols);
        if (B) plain.spmm(out, B, from, cols, true);
        const own = engine.floats("convolve", "X", from, numRows * cols);
        const left = scale.sides === "right" ? 0 : engine.floats("convolve", "scale.by", scale.by, numRows);
        finishRows("convolve", y, own, left, numRows, cols, finish);
      });
    },
    finishGrad(dZ, dots, dY, Y, rows, cols, { bias, relu = false }) {
      const name = "finishGrad";
      const [dy, y] = [engine.floats(name, "dY", dY, rows * cols), engine.floats(name, "Y", Y, rows * cols)];
      const dz = relu ? engine.floats(name, "dZ", dZ, rows * cols) : 0;
      const [sums, b] = [
        engine.floats(name, "dots", dots, rows),
        engine.floatsOrNone(name, "bias", bias ?? null, cols),
      ];
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
      if (finish) finishRows("matmul", engine.floats("matmul", "out", out), 0, 0, size.m, size.n, finish);
    },
  };

  function finishRows(
    kernel: string,
    y: number,
    x: number,
    left: number,
    rows: number,
    cols: number,
    { bias, relu = false }: FinishBuffers,
  ): void {
    const b = engine.floatsOrNone(kernel, "bias", bias ?? null, cols);
    if (x || b || relu) engine.run("finishRows", rows, rowGrain(cols), y, x, left, b, cols, Number(relu));
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

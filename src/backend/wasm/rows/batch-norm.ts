import type { Backend, BatchNormColumns, Buffer } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

/** Columns that one thread adds the chunks of: a cache line of each. */
const LINE = 16;

/**
 * Batch normalisation in two passes over X each way: sums in fixed chunks of rows (rule R1), centred by their own mean so
 * that float32 keeps the variance of large values, then one pass that writes the result.
 */
export function batchNorm(engine: Engine): Pick<Backend, "batchNorm" | "batchNormGrad"> {
  /** Σ over chunks of rows into two sums per column and chunk, handed to `use` as (address, bytes per chunk, chunks). */
  const inChunks = (
    kernel: string,
    [rows, cols]: [number, number],
    args: number[],
    use: (partial: number, stride: number, chunks: number, chunkRows: number) => void,
  ) => {
    const chunkRows = Math.min(512, rowGrain(cols));
    const chunks = Math.ceil(rows / chunkRows);
    const stride = 2 * Math.ceil(cols / 4) * 16;
    engine.borrow("f32", (chunks * stride) / 4, (_, partial) => {
      engine.run(kernel, chunks, 1, partial, stride, ...args, rows, cols, chunkRows);
      use(partial, stride, chunks, chunkRows);
    });
  };
  /** 1 / √(variance + epsilon), into `to`. */
  const inverseRoot = (to: number, variance: number, epsilon: number, cols: number) => {
    engine.call("affine", 0, cols, to, 1, variance, epsilon);
    engine.call("unaryRsqrt", 0, cols, to, to);
  };
  return {
    batchNorm(out, X, columns, beta, epsilon, rows, cols) {
      const name = "batchNorm";
      const y = engine.floats(name, "out", out, rows * cols);
      const x = engine.floats(name, "X", X, rows * cols);
      const [mean, variance, gamma] = addresses(engine, name, columns, cols);
      const shift = engine.floats(name, "beta", beta, cols);
      inChunks("momentChunks", [rows, cols], [x], (partial, stride, chunks, chunkRows) => {
        engine.run("sumMoments", cols, LINE, mean, variance, partial, stride, chunks, rows, chunkRows);
      });
      engine.borrow("f32", cols, (_, scale) => {
        inverseRoot(scale, variance, epsilon, cols);
        engine.call("mul", 0, cols, scale, scale, gamma);
        engine.run("normaliseRows", rows, rowGrain(cols), y, x, mean, scale, shift, cols);
      });
    },
    batchNormGrad({ dX, dGamma, dBeta }, dY, X, columns, epsilon, rows, cols) {
      const name = "batchNormGrad";
      const dx = engine.floats(name, "dX", dX, rows * cols);
      const dy = engine.floats(name, "dY", dY, rows * cols);
      const dg = engine.floats(name, "dGamma", dGamma, cols);
      const db = engine.floats(name, "dBeta", dBeta, cols);
      const x = engine.floats(name, "X", X, rows * cols);
      const [mean, variance, gamma] = addresses(engine, name, columns, cols);
      inChunks("centredDotChunks", [rows, cols], [dy, x, mean], (partial, stride, chunks) => {
        engine.run("sumPartials", cols, LINE, db, partial, stride, chunks);
        engine.run("sumPartials", cols, LINE, dg, partial + stride / 2, stride, chunks);
      });
      const width = Math.ceil(cols / LINE) * LINE;
      engine.borrow("f32", 3 * width, (_, scale) => {
        const slope = scale + 4 * width;
        const shift = scale + 8 * width;
        inverseRoot(slope, variance, epsilon, cols);
        engine.call("mul", 0, cols, dg, dg, slope);
        engine.call("mul", 0, cols, scale, slope, gamma);
        engine.call("mul", 0, cols, slope, slope, scale);
        engine.call("mul", 0, cols, slope, slope, dg);
        engine.call("affine", 0, cols, slope, -1 / rows, slope, 0);
        engine.call("mul", 0, cols, shift, scale, db);
        engine.call("affine", 0, cols, shift, -1 / rows, shift, 0);
        engine.run("normaliseGradRows", rows, rowGrain(cols), dx, dy, x, mean, scale, slope, shift, cols);
      });
    },
  };
}

function addresses(engine: Engine, name: string, { mean, variance, gamma }: BatchNormColumns, cols: number) {
  const named: [string, Buffer][] = [
    ["mean", mean],
    ["variance", variance],
    ["gamma", gamma],
  ];
  return named.map(([argument, buffer]) => engine.floats(name, argument, buffer, cols)) as [number, number, number];
}

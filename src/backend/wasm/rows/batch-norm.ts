import type { Backend, BatchNormColumns } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

/** Columns per chunk when the sums of all chunks of rows are added up: a cache line of each. */
const LINE = 16;

/**
 * Batch normalisation in two passes over X each way: sums in fixed chunks of rows (rule R1), centred by their own mean so
 * that float32 keeps the variance of large values, then one pass that writes the result.
 */
export function batchNorm(engine: Engine) {
  return { batchNorm: forward(engine), batchNormGrad: backward(engine) };
}

function forward(engine: Engine): Backend["batchNorm"] {
  return ({ out, X, columns, beta, epsilon, rows, cols }) => {
    const name = "batchNorm";
    const y = engine.floats(name, "out", out, rows * cols);
    const x = engine.floats(name, "X", X, rows * cols);
    const { mean, variance, gamma } = addresses(engine, name, columns, cols);
    const shift = engine.floats(name, "beta", beta, cols);
    withChunkSums(
      engine,
      { kernel: "momentChunks", rows, cols, inputs: [x] },
      ({ partial, stride, chunks, chunkRows }) => {
        engine.run("sumMoments", cols, LINE, mean, variance, partial, stride, chunks, rows, chunkRows);
      },
    );
    engine.borrow("f32", cols, (_, scale) => {
      inverseRoot(engine, scale, variance, epsilon, cols);
      engine.call("mul", 0, cols, scale, scale, gamma);
      engine.run("normaliseRows", rows, rowGrain(cols), y, x, mean, scale, shift, cols);
    });
  };
}

function backward(engine: Engine): Backend["batchNormGrad"] {
  return ({ grads: { dX, dGamma, dBeta }, dY, X, columns, epsilon, rows, cols }) => {
    const name = "batchNormGrad";
    const dx = engine.floats(name, "dX", dX, rows * cols);
    const dy = engine.floats(name, "dY", dY, rows * cols);
    const dg = engine.floats(name, "dGamma", dGamma, cols);
    const db = engine.floats(name, "dBeta", dBeta, cols);
    const x = engine.floats(name, "X", X, rows * cols);
    const { mean, variance, gamma } = addresses(engine, name, columns, cols);
    const inputs = [dy, x, mean];
    withChunkSums(engine, { kernel: "centredDotChunks", rows, cols, inputs }, ({ partial, stride, chunks }) => {
      engine.run("sumPartials", cols, LINE, db, partial, stride, chunks);
      engine.run("sumPartials", cols, LINE, dg, partial + stride / 2, stride, chunks);
    });
    const width = Math.ceil(cols / LINE) * LINE;
    engine.borrow("f32", 3 * width, (_, scale) => {
      const slope = scale + 4 * width;
      const shift = scale + 8 * width;
      inverseRoot(engine, slope, variance, epsilon, cols);
      engine.call("mul", 0, cols, dg, dg, slope);
      engine.call("mul", 0, cols, scale, slope, gamma);
      engine.call("mul", 0, cols, slope, slope, scale);
      engine.call("mul", 0, cols, slope, slope, dg);
      engine.call("affine", 0, cols, slope, -1 / rows, slope, 0);
      engine.call("mul", 0, cols, shift, scale, db);
      engine.call("affine", 0, cols, shift, -1 / rows, shift, 0);
      engine.run("normaliseGradRows", rows, rowGrain(cols), dx, dy, x, mean, scale, slope, shift, cols);
    });
  };
}

/** A kernel that leaves two sums per column for each chunk of rows. */
interface ChunkKernel {
  readonly kernel: string;
  readonly rows: number;
  readonly cols: number;
  readonly inputs: readonly number[];
}

/** The sums of a {@link ChunkKernel}: their address, bytes per chunk, number of chunks, and rows per chunk. */
interface ChunkSums {
  readonly partial: number;
  readonly stride: number;
  readonly chunks: number;
  readonly chunkRows: number;
}

function withChunkSums(engine: Engine, run: ChunkKernel, use: (sums: ChunkSums) => void): void {
  const { kernel, rows, cols, inputs } = run;
  const chunkRows = Math.min(512, rowGrain(cols));
  const chunks = Math.ceil(rows / chunkRows);
  const stride = 2 * Math.ceil(cols / 4) * 16;
  engine.borrow("f32", (chunks * stride) / 4, (_, partial) => {
    engine.run(kernel, chunks, 1, partial, stride, ...inputs, rows, cols, chunkRows);
    use({ partial, stride, chunks, chunkRows });
  });
}

/** 1 / √(variance + epsilon), into `to`. */
function inverseRoot(engine: Engine, to: number, variance: number, epsilon: number, cols: number): void {
  engine.call("affine", 0, cols, to, 1, variance, epsilon);
  engine.call("unaryRsqrt", 0, cols, to, to);
}

function addresses(engine: Engine, name: string, { mean, variance, gamma }: BatchNormColumns, cols: number) {
  return {
    mean: engine.floats(name, "mean", mean, cols),
    variance: engine.floats(name, "variance", variance, cols),
    gamma: engine.floats(name, "gamma", gamma, cols),
  };
}

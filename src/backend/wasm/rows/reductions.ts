import type { Backend, Buffer } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

/** As in `assembly/rows/reductions.ts`. */
const CHUNK = 16_384;

/** Reductions over fixed chunks: any thread takes any chunk, and the caller combines the results in order (rule R1). */
export function reductions(engine: Engine) {
  return {
    dot: dot(engine),
    max: max(engine),
    countEqual: countEqual(engine),
    colDots: colDots(engine),
  };
}

function dot(engine: Engine): Backend["dot"] {
  return (out, A, B) => {
    engine.floats("dot", "out", out, 1);
    const a = engine.floats("dot", "A", A);
    const b = engine.floatsOrNone("dot", "B", B, A.length);
    writeValue(engine, out, reduceChunks(engine, "dotChunks", A.length, [a, b], sum));
  };
}

function max(engine: Engine): Backend["max"] {
  return (out, X) => {
    engine.floats("max", "out", out, 1);
    const x = engine.floats("max", "X", X);
    writeValue(engine, out, reduceChunks(engine, "maxChunks", X.length, [x], largest));
  };
}

function countEqual(engine: Engine): Backend["countEqual"] {
  return (out, A, B) => {
    engine.floats("countEqual", "out", out, 1);
    const a = engine.ints("countEqual", "A", A);
    const b = engine.ints("countEqual", "B", B, A.length);
    writeValue(engine, out, reduceChunks(engine, "countEqualChunks", A.length, [a, b], sum));
  };
}

function colDots(engine: Engine): Backend["colDots"] {
  return (out, A, B, rows, cols) => {
    const y = engine.floats("colDots", "out", out, cols);
    const a = engine.floats("colDots", "A", A, rows * cols);
    const b = engine.floatsOrNone("colDots", "B", B, rows * cols);
    const chunkRows = Math.min(512, rowGrain(cols));
    const chunks = Math.ceil(rows / chunkRows);
    const stride = Math.ceil(cols / 4) * 16;
    engine.borrow("f32", (chunks * stride) / 4, (_, partial) => {
      engine.run("colDotChunks", chunks, 1, partial, stride, a, b, rows, cols, chunkRows);
      engine.run("sumPartials", cols, 512, y, partial, stride, chunks);
    });
  };
}

/** Runs `kernel` on all chunks of `length` elements and returns `combine` of their results, in order, as doubles. */
function reduceChunks(
  engine: Engine,
  kernel: string,
  length: number,
  inputs: readonly number[],
  combine: (results: Float64Array) => number,
): number {
  const chunks = Math.ceil(length / CHUNK);
  return engine.borrow("i32", 2 * chunks, (_, partial) => {
    engine.run(kernel, chunks, 4, partial, ...inputs, length);
    return combine(engine.doubles(partial, chunks));
  });
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function largest(values: Float64Array): number {
  return values.reduce((top, value) => Math.max(top, value), Number.NEGATIVE_INFINITY);
}

function writeValue(engine: Engine, out: Buffer, value: number): void {
  engine.heap.write(out, new Float32Array([value]));
}

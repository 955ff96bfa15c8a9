import type { Backend, Buffer } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

/** As in `assembly/rows/reductions.ts`. */
const CHUNK = 16_384;

type Reductions = Pick<Backend, "dot" | "max" | "countEqual" | "colDots">;

/** Reductions: fixed chunks in any order by any thread, their results combined in order by this one (rule R1). */
export function reductions(engine: Engine): Reductions {
  const reduce = (
    kernel: string,
    out: Buffer,
    length: number,
    args: number[],
    combine: (a: number, b: number) => number,
    start: number,
  ) => {
    const chunks = Math.ceil(length / CHUNK);
    const total = engine.borrow("i32", 2 * chunks, (_, partial) => {
      engine.run(kernel, chunks, 4, partial, ...args, length);
      return engine.doubles(partial, chunks).reduce((total, part) => combine(total, part), start);
    });
    engine.heap.write(out, new Float32Array([total]));
  };
  const sum = (a: number, b: number) => a + b;
  return {
    dot(out, A, B) {
      engine.floats("dot", "out", out, 1);
      const a = engine.floats("dot", "A", A);
      const b = engine.floatsOrNone("dot", "B", B, A.length);
      reduce("dotChunks", out, A.length, [a, b], sum, 0);
    },
    max(out, X) {
      engine.floats("max", "out", out, 1);
      reduce("maxChunks", out, X.length, [engine.floats("max", "X", X)], Math.max, Number.NEGATIVE_INFINITY);
    },
    countEqual(out, A, B) {
      engine.floats("countEqual", "out", out, 1);
      const a = engine.ints("countEqual", "A", A);
      const b = engine.ints("countEqual", "B", B, A.length);
      reduce("countEqualChunks", out, A.length, [a, b], sum, 0);
    },
    colDots(out, A, B, rows, cols) {
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
    },
  };
}

import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { MAX_SPLIT_COLS } from "../engine/module.ts";

/** As in `assembly/dense/matmul.ts` and `assembly/dense/matmul-tile.ts`. */
const TILE_ROWS = 6;
const TILE_COLS = 8;
const KC = 256;
const STRIPS = 16;

/** Products with fewer multiplications stay on the calling thread: waking others would cost more. */
const ALONE = 100_000;

/** Matrix product: long and thin results are shared out by rows, small results of a long k by pieces of k. */
export function matmul(engine: Engine): Pick<Backend, "matmul"> {
  return {
    matmul(out, A, B, { m, n, k, transA = false, transB = false, accumulate = false }) {
      const c = engine.floats("matmul", "out", out, m * n);
      const a = engine.floats("matmul", "A", A, m * k);
      const b = engine.floats("matmul", "B", B, k * n);
      const flags = [Number(transA), Number(transB), Number(accumulate)] as const;
      if (k === 0) {
        if (!accumulate) engine.run("fill", m * n, GRAIN, c, 0);
      } else if (isLong(m, n, k)) {
        splitAlongK(engine, c, a, b, m, n, k, ...flags);
      } else {
        splitAlongRows(engine, c, a, b, m, n, k, ...flags);
      }
    },
  };
}

function isLong(m: number, n: number, k: number): boolean {
  return k >= 16 * KC && m <= 1024 && n <= MAX_SPLIT_COLS;
}

type Shape = [c: number, a: number, b: number, m: number, n: number, k: number];
type Flags = [transA: number, transB: number, accumulate: number];

function splitAlongRows(engine: Engine, ...[c, a, b, m, n, k, transA, transB, accumulate]: [...Shape, ...Flags]): void {
  const panels = Math.ceil(n / TILE_COLS);
  const strips = Math.ceil(m / TILE_ROWS);
  const alone = m * n * k < ALONE;
  engine.borrow("f32", panels * TILE_COLS * k, (_, packed) => {
    engine.run(
      "packB",
      panels,
      alone ? panels : Math.max(1, Math.ceil(GRAIN / (TILE_COLS * k))),
      packed,
      b,
      n,
      k,
      transB,
    );
    engine.run("matmulStrips", strips, alone ? strips : STRIPS, c, a, packed, m, n, k, transA, accumulate);
  });
}

/** The pieces of k depend on the shape alone, so that the sum of their results has the same bits on any machine. */
function splitAlongK(engine: Engine, ...[c, a, b, m, n, k, transA, transB, accumulate]: [...Shape, ...Flags]): void {
  const pieces = m * n <= 65_536 ? 32 : 8;
  const chunk = KC * Math.ceil(k / (KC * pieces));
  const parts = Math.ceil(k / chunk);
  engine.borrow("f32", parts * m * n, (_, partial) => {
    engine.run("matmulSplit", parts, 1, partial, a, b, m, n, k, chunk, transA, transB);
    engine.run("sumParts", m * n, 2048, c, partial, m * n, parts, accumulate);
  });
}

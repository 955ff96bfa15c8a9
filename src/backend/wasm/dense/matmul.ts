import type { Backend, MatmulSize } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { MAX_SPLIT_COLS } from "../engine/module.ts";

/** As in `assembly/dense/matmul.ts` and `assembly/dense/matmul-tile.ts`. */
const TILE_ROWS = 6;
const TILE_COLS = 8;
const KC = 256;
const STRIPS = 16;

/** Products with fewer multiplications stay on the calling thread: waking others would cost more. */
const ALONE = 100_000;

/** Addresses of the result and of both factors. */
interface Matrices {
  readonly c: number;
  readonly a: number;
  readonly b: number;
}

/** Matrix product: long and thin results are shared out by rows, small results of a long k by pieces of k. */
export function matmul(engine: Engine): Pick<Backend, "matmul"> {
  return {
    matmul(out, A, B, size) {
      const { m, n, k } = size;
      const c = engine.floats("matmul", "out", out, m * n);
      const a = engine.floats("matmul", "A", A, m * k);
      const b = engine.floats("matmul", "B", B, k * n);
      if (k === 0) {
        if (!size.accumulate) engine.run("fill", m * n, GRAIN, c, 0);
      } else if (isLong(size)) {
        splitAlongK(engine, { c, a, b }, size);
      } else {
        splitAlongRows(engine, { c, a, b }, size);
      }
    },
  };
}

function isLong({ m, n, k }: MatmulSize): boolean {
  return k >= 16 * KC && m <= 1024 && n <= MAX_SPLIT_COLS;
}

function splitAlongRows(engine: Engine, { c, a, b }: Matrices, size: MatmulSize): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = size;
  const panels = Math.ceil(n / TILE_COLS);
  const strips = Math.ceil(m / TILE_ROWS);
  const isSmall = m * n * k < ALONE;
  const panelGrain = isSmall ? panels : Math.max(1, Math.ceil(GRAIN / (TILE_COLS * k)));
  const stripGrain = isSmall ? strips : STRIPS;
  engine.borrow("f32", panels * TILE_COLS * k, (_, packed) => {
    engine.run("packB", panels, panelGrain, packed, b, n, k, Number(transB));
    engine.run("matmulStrips", strips, stripGrain, c, a, packed, m, n, k, Number(transA), Number(accumulate));
  });
}

/** The pieces of k depend on the shape alone, so that the sum of their results has the same bits on any machine. */
function splitAlongK(engine: Engine, { c, a, b }: Matrices, size: MatmulSize): void {
  const { m, n, k, transA = false, transB = false, accumulate = false } = size;
  const pieces = m * n <= 65_536 ? 32 : 8;
  const chunk = KC * Math.ceil(k / (KC * pieces));
  const parts = Math.ceil(k / chunk);
  engine.borrow("f32", parts * m * n, (_, partial) => {
    engine.run("matmulSplit", parts, 1, partial, a, b, m, n, k, chunk, Number(transA), Number(transB));
    engine.run("sumParts", m * n, 2048, c, partial, m * n, parts, Number(accumulate));
  });
}

import type { Backend, Buffer, FinishBuffers, Scale } from "../../backend.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";
import { sparseGrain } from "./spmm.ts";

/** The plain kernels that the kernels below call. */
type Plain = Pick<Backend, "scaleRows" | "sddmm" | "matmul">;

const NO_ENTRIES = { rowPtr: 0, colIdx: 0, values: 0, entries: 0 };

/** Products with row scaling before them, and with scale, bias and relu applied in one pass after them. */
export function convolve(engine: Engine, plain: Plain) {
  return {
    convolve: convolveRows(engine, plain),
    finishGrad: finishGrad(engine),
    sddmm: scaledSddmm(engine, plain),
    matmul: finishedMatmul(engine, plain),
  };
}

function convolveRows(engine: Engine, plain: Plain): Backend["convolve"] {
  return ({ out, graph: { A, B }, X, cols, scale, finish = {} }) => {
    const name = "convolve";
    const { numRows } = A;
    const a = engine.csr(name, A);
    const b = B ? engine.csr(name, B) : NO_ENTRIES;
    const y = engine.floats(name, "out", out, numRows * cols);
    const left = scale.sides === "right" ? 0 : engine.floats(name, "scale.by", scale.by, numRows);
    const bias = engine.floatsOrNone(name, "bias", finish.bias ?? null, cols);
    withScaledRows(engine, plain, { scale, side: "right", X, rows: numRows, cols }, (scaled) => {
      const x = engine.floats(name, "X", scaled, numRows * cols);
      const edges = [a.rowPtr, a.colIdx, b.rowPtr, b.colIdx, b.values];
      const grain = sparseGrain(a.entries + b.entries, numRows, cols);
      engine.run(name, numRows, grain, y, ...edges, x, numRows, left, bias, cols, Number(finish.relu ?? false));
    });
  };
}

function finishGrad(engine: Engine): Backend["finishGrad"] {
  return ({ dZ, dots, dY, Y, rows, cols, finish: { bias, relu = false } }) => {
    const name = "finishGrad";
    const dy = engine.floats(name, "dY", dY, rows * cols);
    const y = engine.floats(name, "Y", Y, rows * cols);
    const dz = relu ? engine.floats(name, "dZ", dZ, rows * cols) : 0;
    const sums = engine.floats(name, "dots", dots, rows);
    const shift = engine.floatsOrNone(name, "bias", bias ?? null, cols);
    engine.run(name, rows, rowGrain(cols), dz, sums, dy, y, shift, cols, Number(relu));
  };
}

function scaledSddmm(engine: Engine, plain: Plain): Backend["sddmm"] {
  return ({ scale, ...args }) => {
    const { pairs, P, Q, cols } = args;
    const product = (p: Buffer, q: Buffer) => plain.sddmm({ ...args, P: p, Q: q });
    if (!scale) return plain.sddmm(args);
    const size = { rows: pairs.numNodes, cols };
    withScaledRows(engine, plain, { scale, side: "left", X: P, ...size }, (p) => {
      withScaledRows(engine, plain, { scale, side: "right", X: Q, ...size }, (q) => product(p, q));
    });
  };
}

function finishedMatmul(engine: Engine, plain: Plain): Backend["matmul"] {
  return (out, A, B, size, finish) => {
    plain.matmul(out, A, B, size);
    if (finish) finishRows(engine, engine.floats("matmul", "out", out), size.m, size.n, finish);
  };
}

function finishRows(
  engine: Engine,
  y: number,
  rows: number,
  cols: number,
  { bias, relu = false }: FinishBuffers,
): void {
  const shift = engine.floatsOrNone("matmul", "bias", bias ?? null, cols);
  if (shift || relu) engine.run("finishRows", rows, rowGrain(cols), y, shift, cols, Number(relu));
}

/** X, [rows, cols], as the factor on one side of a scaled product. */
interface ScaledFactor {
  readonly scale: Scale;
  readonly side: "left" | "right";
  readonly X: Buffer;
  readonly rows: number;
  readonly cols: number;
}

/** Hands `use` L·X or R·X in a borrowed buffer, or X itself if that side is not scaled. */
function withScaledRows(engine: Engine, plain: Plain, factor: ScaledFactor, use: (X: Buffer) => void): void {
  const { scale, side, X, rows, cols } = factor;
  if (scale.sides !== side && scale.sides !== "both") {
    use(X);
    return;
  }
  engine.borrow("f32", rows * cols, (scaled) => {
    plain.scaleRows({ out: scaled, X, scale: scale.by, rows, cols });
    use(scaled);
  });
}

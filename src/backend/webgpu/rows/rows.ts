import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { NamedBuffers, NamedNumbers } from "../device/pipelines.ts";
import type { Constants, ShaderName } from "../device/shader.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { dotRows } from "./dot-rows.ts";
import { transpose } from "./transpose.ts";

type Rows = Pick<
  Backend,
  | "scaleRows"
  | "affineCols"
  | "rowDots"
  | "softmaxRows"
  | "softmaxRowsGrad"
  | "logSoftmaxRows"
  | "logSoftmaxRowsGrad"
  | "argmaxRows"
  | "transpose"
>;

/** Kernels that treat each row of a [rows, cols] matrix on its own. */
export function rows(gpu: Gpu): Rows {
  return {
    scaleRows: scaleRows(gpu),
    affineCols: affineCols(gpu),
    rowDots: rowDots(gpu),
    softmaxRows: softmax(gpu, "softmaxRows"),
    softmaxRowsGrad: softmaxGrad(gpu, "softmaxRowsGrad"),
    logSoftmaxRows: softmax(gpu, "logSoftmaxRows"),
    logSoftmaxRowsGrad: softmaxGrad(gpu, "logSoftmaxRowsGrad"),
    argmaxRows: argmaxRows(gpu),
    transpose(out, X, rows, cols) {
      const y = gpu.floats("transpose", "out", out, rows * cols);
      const x = gpu.floats("transpose", "X", X, rows * cols);
      transpose(gpu, y, x, rows, cols);
    },
  };
}

function scaleRows(gpu: Gpu): Backend["scaleRows"] {
  return ({ out, X, scale, rows, cols, accumulate = false }) => {
    const name = "scaleRows";
    const y = gpu.floats(name, "out", out, rows * cols);
    const x = gpu.floats(name, "X", X, rows * cols);
    const s = gpu.floats(name, "scale", scale, rows);
    perElement(gpu, {
      shader: "scale-rows",
      constants: { ACCUMULATE: Number(accumulate) },
      rows,
      cols,
      bind: (begin, count) => ({
        out: y.window(begin * cols, count * cols),
        X: x.window(begin * cols, count * cols),
        scale: s.window(begin, count),
      }),
    });
  };
}

function affineCols(gpu: Gpu): Backend["affineCols"] {
  return ({ out, X, scale, shift, rows, cols }) => {
    const name = "affineCols";
    const y = gpu.floats(name, "out", out, rows * cols);
    const x = gpu.floats(name, "X", X, rows * cols);
    const factors = gpu.floatsOrNone(name, "scale", scale, cols);
    const summands = gpu.floatsOrNone(name, "shift", shift, cols);
    perElement(gpu, {
      shader: "affine-cols",
      constants: { HAS_SCALE: Number(scale !== null), HAS_SHIFT: Number(shift !== null) },
      rows,
      cols,
      bind: (begin, count) => ({
        out: y.window(begin * cols, count * cols),
        X: x.window(begin * cols, count * cols),
        scale: factors,
        shift: summands,
      }),
    });
  };
}

function rowDots(gpu: Gpu): Backend["rowDots"] {
  return (out, A, B, rows, cols) => {
    const y = gpu.floats("rowDots", "out", out, rows);
    const a = gpu.floats("rowDots", "A", A, rows * cols);
    const b = gpu.floatsOrNone("rowDots", "B", B, rows * cols);
    dotRows(gpu, {
      shader: "row-dots",
      constants: { HAS_B: Number(b !== null) },
      rows,
      cols,
      bind: (begin, count) => ({
        out: y.window(begin, count),
        A: a.window(begin * cols, count * cols),
        B: b?.window(begin * cols, count * cols) ?? null,
      }),
    });
  };
}

function softmax<Name extends "softmaxRows" | "logSoftmaxRows">(gpu: Gpu, name: Name): Backend[Name] {
  const LOG = Number(name === "logSoftmaxRows");
  return (out, X, rows, cols) => {
    const y = gpu.floats(name, "out", out, rows * cols);
    const x = gpu.floats(name, "X", X, rows * cols);
    perRow(gpu, {
      shader: "softmax-rows",
      constants: { LOG },
      rows,
      cols,
      params: { lowest: Number.NEGATIVE_INFINITY },
      bind: (begin, count) => ({
        out: y.window(begin * cols, count * cols),
        X: x.window(begin * cols, count * cols),
      }),
    });
  };
}

function softmaxGrad<Name extends "softmaxRowsGrad" | "logSoftmaxRowsGrad">(gpu: Gpu, name: Name): Backend[Name] {
  const LOG = Number(name === "logSoftmaxRowsGrad");
  return (dX, dY, Y, rows, cols) => {
    const dx = gpu.floats(name, "dX", dX, rows * cols);
    const dy = gpu.floats(name, "dY", dY, rows * cols);
    const y = gpu.floats(name, "Y", Y, rows * cols);
    const piece = (buffer: GpuBuffer, begin: number, count: number) => buffer.window(begin * cols, count * cols);
    perRow(gpu, {
      shader: "softmax-rows-grad",
      constants: { LOG },
      rows,
      cols,
      bind: (begin, count) => ({ dX: piece(dx, begin, count), dY: piece(dy, begin, count), Y: piece(y, begin, count) }),
    });
  };
}

function argmaxRows(gpu: Gpu): Backend["argmaxRows"] {
  return (out, X, rows, cols, exclude) => {
    const name = "argmaxRows";
    const y = gpu.ints(name, "out", out, rows);
    const x = gpu.floats(name, "X", X, rows * cols);
    const skipped = exclude ? gpu.ints(name, "exclude", exclude, rows) : null;
    perRow(gpu, {
      shader: "argmax-rows",
      constants: { EXCLUDE: Number(skipped !== null) },
      rows,
      cols,
      params: { lowest: Number.NEGATIVE_INFINITY },
      bind: (begin, count) => ({
        out: y.window(begin, count),
        X: x.window(begin * cols, count * cols),
        exclude: skipped?.window(begin, count) ?? null,
      }),
    });
  };
}

/** A kernel on the rows of a [rows, cols] matrix, in pieces of rows that fit a binding. */
interface RowKernel {
  readonly shader: ShaderName;
  readonly constants: Constants;
  readonly rows: number;
  readonly cols: number;
  /** Parameters other than `rows` and `cols`. */
  readonly params?: NamedNumbers;
  /** Arguments for `count` rows from `begin` on. */
  readonly bind: (begin: number, count: number) => NamedBuffers;
}

/** One thread per element, or per four of a row. */
function perElement(gpu: Gpu, { shader, constants, rows, cols, bind }: RowKernel): void {
  const { T, width } = rowVectors(cols);
  rowPieces(gpu, rows, cols, (begin, count) => {
    gpu.launch({
      shader,
      constants: { ...constants, T },
      bind: bind(begin, count),
      params: { rows: count, cols: width },
      threads: count * width,
    });
  });
}

/** LANES threads per row. */
function perRow(gpu: Gpu, { shader, constants, rows, cols, params, bind }: RowKernel): void {
  const { lanes, file } = lanesFor(gpu, cols);
  rowPieces(gpu, rows, cols, (begin, count) => {
    gpu.launch({
      shader,
      with: [file],
      constants: { ...constants, LANES: lanes },
      bind: bind(begin, count),
      params: { ...params, rows: count, cols },
      threads: count * lanes,
    });
  });
}

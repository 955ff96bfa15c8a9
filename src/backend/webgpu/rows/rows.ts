import type { Backend, Buffer } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { dotRows } from "./dot-rows.ts";

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
  /** One thread per element, or per four of a row. */
  const perElement = (
    shader: ShaderName,
    defines: Record<string, number>,
    [rows, cols]: [number, number],
    args: (begin: number, count: number) => (GpuBuffer | null)[],
  ) => {
    const wide = cols % 4 === 0;
    const kernel = gpu.kernel(`${shader} ${wide} ${Object.values(defines)}`, () => ({
      files: ["threads", shader],
      defines: { T: wide ? "vec4f" : "f32", ...defines },
    }));
    const width = wide ? cols / 4 : cols;
    rowPieces(gpu, rows, cols, (begin, count) => {
      gpu.run(kernel, args(begin, count), [count, width], Math.ceil((count * width) / WORKGROUP));
    });
  };
  /** LANES threads per row. */
  const perRow = (
    shader: ShaderName,
    defines: Record<string, number>,
    [rows, cols]: [number, number],
    params: number[],
    args: (begin: number, count: number) => (GpuBuffer | null)[],
  ) => {
    const { lanes, file } = lanesFor(gpu, cols);
    const kernel = gpu.kernel(`${shader} ${lanes} ${Object.values(defines)}`, () => ({
      files: ["threads", file, shader],
      defines: { LANES: lanes, ...defines },
    }));
    rowPieces(gpu, rows, cols, (begin, count) => {
      gpu.run(kernel, args(begin, count), [count, cols, ...params], Math.ceil((count * lanes) / WORKGROUP));
    });
  };
  const map = (name: "softmaxRows" | "logSoftmaxRows", LOG: number): Backend[typeof name] => {
    return (out, X, rows, cols) => {
      const y = gpu.floats(name, "out", out, rows * cols);
      const x = gpu.floats(name, "X", X, rows * cols);
      perRow("softmax-rows", { LOG }, [rows, cols], [Number.NEGATIVE_INFINITY], (begin, count) =>
        [y, x].map((buffer) => buffer.window(begin * cols, count * cols)),
      );
    };
  };
  const grad = (name: "softmaxRowsGrad" | "logSoftmaxRowsGrad", LOG: number): Backend[typeof name] => {
    return (dX, dY, Y, rows, cols) => {
      const size = rows * cols;
      const args = [gpu.floats(name, "dX", dX, size), gpu.floats(name, "dY", dY, size), gpu.floats(name, "Y", Y, size)];
      perRow("softmax-rows-grad", { LOG }, [rows, cols], [], (begin, count) =>
        args.map((buffer) => buffer.window(begin * cols, count * cols)),
      );
    };
  };
  return {
    scaleRows(out, X, scale, rows, cols, accumulate = false) {
      const name = "scaleRows";
      const y = gpu.floats(name, "out", out, rows * cols);
      const x = gpu.floats(name, "X", X, rows * cols);
      const s = gpu.floats(name, "scale", scale, rows);
      perElement("scale-rows", { ACCUMULATE: Number(accumulate) }, [rows, cols], (begin, count) => [
        y.window(begin * cols, count * cols),
        x.window(begin * cols, count * cols),
        s.window(begin, count),
      ]);
    },
    affineCols(out, X, scale, shift, rows, cols) {
      const name = "affineCols";
      const y = gpu.floats(name, "out", out, rows * cols);
      const x = gpu.floats(name, "X", X, rows * cols);
      const factors = [gpu.floatsOrNone(name, "scale", scale, cols), gpu.floatsOrNone(name, "shift", shift, cols)];
      const defines = { HAS_SCALE: Number(scale !== null), HAS_SHIFT: Number(shift !== null) };
      perElement("affine-cols", defines, [rows, cols], (begin, count) => [
        y.window(begin * cols, count * cols),
        x.window(begin * cols, count * cols),
        ...factors,
      ]);
    },
    rowDots(out, A, B, rows, cols) {
      const y = gpu.floats("rowDots", "out", out, rows);
      const a = gpu.floats("rowDots", "A", A, rows * cols);
      const b = gpu.floatsOrNone("rowDots", "B", B, rows * cols);
      dotRows(gpu, "row-dots", { HAS_B: Number(b !== null) }, [rows, cols], (begin, count) => [
        y.window(begin, count),
        a.window(begin * cols, count * cols),
        b?.window(begin * cols, count * cols) ?? null,
      ]);
    },
    softmaxRows: map("softmaxRows", 0),
    softmaxRowsGrad: grad("softmaxRowsGrad", 0),
    logSoftmaxRows: map("logSoftmaxRows", 1),
    logSoftmaxRowsGrad: grad("logSoftmaxRowsGrad", 1),
    argmaxRows(out, X, rows, cols, exclude?: Buffer) {
      const y = gpu.ints("argmaxRows", "out", out, rows);
      const x = gpu.floats("argmaxRows", "X", X, rows * cols);
      const skip = exclude ? gpu.ints("argmaxRows", "exclude", exclude, rows) : null;
      const defines = { EXCLUDE: Number(skip !== null) };
      perRow("argmax-rows", defines, [rows, cols], [Number.NEGATIVE_INFINITY], (begin, count) => [
        y.window(begin, count),
        x.window(begin * cols, count * cols),
        skip?.window(begin, count) ?? null,
      ]);
    },
    transpose(out, X, rows, cols) {
      const y = gpu.floats("transpose", "out", out, rows * cols);
      const x = gpu.floats("transpose", "X", X, rows * cols);
      transposed(gpu, y, x, rows, cols);
    },
  };
}

/** out_ci = X_ic. */
export function transposed(gpu: Gpu, out: GpuBuffer, X: GpuBuffer, rows: number, cols: number): void {
  const kernel = gpu.kernel("transpose", () => ({ files: ["threads", "transpose"] }));
  const across = Math.ceil(cols / 16);
  gpu.run(kernel, [out, X], [rows, cols, across], across * Math.ceil(rows / 16));
}

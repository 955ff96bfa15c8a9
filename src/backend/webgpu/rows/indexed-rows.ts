import type { Backend, Buffer, TanhMargins } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { UNARY } from "../elementwise/elementwise.ts";
import { lanesFor } from "../shared/lanes.ts";
import { GROUP, groupRows } from "../sparse/group-rows.ts";

/** Columns per lane where rows are compared: what the lanes find out takes them longer to put together. */
const PER_LANE = 8;

type IndexedRows = Pick<
  Backend,
  | "gatherRows"
  | "scatterAddRows"
  | "groupIndices"
  | "pick"
  | "pickGrad"
  | "margins"
  | "marginsGrad"
  | "tanhMargins"
  | "tanhMarginsGrad"
>;

/**
 * Rows and entries chosen by an index per row. Indices are not checked here, since they stay on the device: whoever uploads
 * them does.
 */
export function indexedRows(gpu: Gpu, { spmm }: Pick<Backend, "spmm">): IndexedRows {
  const group = (rowPtr: GpuBuffer, order: GpuBuffer, index: GpuBuffer) => {
    const nothing = { targets: null, weights: null, signs: null, floor: 0 };
    const what = { kind: GROUP.indices, numRows: rowPtr.length - 1, length: index.length, sources: index, ...nothing };
    groupRows(gpu, { rowPtr, colIdx: order, values: null }, what);
  };
  /** Margins and rivals, or with sums the tanh of margins too. */
  const compare = (name: string, to: (GpuBuffer | null)[], X: Buffer, column: Buffer, cols: number) => {
    const { length } = column;
    const x = gpu.floats(name, "X", X, length * cols);
    const at = gpu.ints(name, "column", column);
    const { lanes, file } = lanesFor(gpu, cols / PER_LANE);
    const flags = { LANES: lanes, TANH: Number(to[2] !== null) };
    const files = ["threads", file, "unary-functions", "margins"] as const;
    const kernel = gpu.kernel(`margins ${Object.values(flags)}`, () => ({
      ...{ files, defines: { T: "f32", KIND: UNARY.tanh, ...flags } },
    }));
    const params = [length, cols, Number.NEGATIVE_INFINITY];
    gpu.run(kernel, [to[0], to[1], x, at, to[2]], params, Math.ceil((length * lanes) / WORKGROUP));
  };
  const goBack = (
    name: string,
    dX: Buffer,
    { tanhs, rivals }: TanhMargins,
    column: Buffer,
    cols: number,
    d: GpuBuffer | null,
    factor: number,
  ) => {
    const { length } = column;
    const args = [gpu.floats(name, "dX", dX, length * cols), gpu.floats(name, "x", tanhs, length)];
    args.push(gpu.ints(name, "column", column), gpu.ints(name, "rivals", rivals, length));
    const TANH = Number(d !== null);
    const files = ["threads", "margins-grad"] as const;
    const kernel = gpu.kernel(`margins-grad ${TANH}`, () => ({ files, defines: { TANH } }));
    gpu.run(kernel, [...args, d], [length, cols, factor], Math.ceil((length * cols) / WORKGROUP));
  };
  return {
    gatherRows(out, X, index, cols) {
      const at = gpu.ints("gatherRows", "index", index);
      const { length } = at;
      const y = gpu.heap.stored("gatherRows", "out", out, out.dtype, length * cols);
      const x = gpu.heap.stored("gatherRows", "X", X, out.dtype);
      if (cols === 0) return;
      const together = cols % 4 === 0 ? 4 : cols % 2 === 0 ? 2 : 1;
      const T = together === 1 ? "u32" : `vec${together}u`;
      const kernel = gpu.kernel(`gather-rows ${T}`, () => ({ files: ["threads", "gather-rows"], defines: { T } }));
      const width = cols / together;
      const last = Math.max(0, Math.floor(x.length / cols) - 1);
      gpu.run(kernel, [y, x, at], [length, width, last], Math.ceil((length * width) / WORKGROUP));
    },
    scatterAddRows(out, X, index, rows, cols) {
      const name = "scatterAddRows";
      const at = gpu.ints(name, "index", index);
      const { length } = at;
      gpu.floats(name, "out", out, rows * cols);
      gpu.floats(name, "X", X, length * cols);
      if (length === 0 || cols === 0) return;
      // the rows of X that belong to each row of out, in order, as a matrix of ones: out += matrix · X
      const sizes = [["i32", rows + 1] as const, ["i32", length] as const];
      gpu.borrow(sizes, (rowPtr, colIdx) => {
        group(rowPtr, colIdx, at);
        spmm(out, { numRows: rows, numCols: length, rowPtr, colIdx, values: null }, X, cols, true);
      });
    },
    groupIndices(rowPtr, order, index) {
      const name = "groupIndices";
      const at = gpu.ints(name, "index", index);
      group(gpu.ints(name, "rowPtr", rowPtr), gpu.ints(name, "order", order, at.length), at);
    },
    pick(out, X, column, cols) {
      const { length } = column;
      const at = gpu.ints("pick", "column", column);
      const y = gpu.floats("pick", "out", out, length);
      const x = gpu.floats("pick", "X", X, length * cols);
      const kernel = gpu.kernel("pick", () => ({ files: ["threads", "pick"] }));
      gpu.run(kernel, [y, x, at], [length, cols], Math.ceil(length / WORKGROUP));
    },
    pickGrad(out, x, column, cols) {
      const { length } = column;
      const at = gpu.ints("pickGrad", "column", column);
      const y = gpu.floats("pickGrad", "out", out, length * cols);
      const dy = gpu.floats("pickGrad", "x", x, length);
      const kernel = gpu.kernel("pick-grad", () => ({ files: ["threads", "pick-grad"] }));
      gpu.run(kernel, [y, dy, at], [length, cols], Math.ceil(length / WORKGROUP));
    },
    margins(out, rivals, X, column, cols) {
      const y = gpu.floats("margins", "out", out, column.length);
      compare("margins", [y, gpu.ints("margins", "rivals", rivals, column.length), null], X, column, cols);
    },
    marginsGrad(dX, x, column, rivals, cols) {
      const made = { tanhs: x, rivals };
      goBack("marginsGrad", dX, made, column, cols, null, 1);
    },
    tanhMargins(out, correct, { tanhs, rivals }, X, column, cols, factor) {
      const name = "tanhMargins";
      const { length } = column;
      const results = [gpu.floats(name, "out", out, 1), gpu.floats(name, "correct", correct, 1)];
      const parts = Math.ceil((length * lanesFor(gpu, cols / PER_LANE).lanes) / WORKGROUP);
      const made = [gpu.floats(name, "tanhs", tanhs, length), gpu.ints(name, "rivals", rivals, length)];
      gpu.borrow([["f32", 2 * parts]], (sums) => {
        compare(name, [...made, sums], X, column, cols);
        const total = gpu.kernel("margin-totals", () => ({ files: ["threads", "margin-totals"] }));
        gpu.run(total, [...results, sums], [parts, factor], 1);
      });
    },
    tanhMarginsGrad(dX, d, made, column, cols, factor) {
      const name = "tanhMarginsGrad";
      goBack(name, dX, made, column, cols, gpu.floats(name, "d", d, 1), factor);
    },
  };
}

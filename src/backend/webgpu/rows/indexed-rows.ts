import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { GROUP, groupRows } from "../sparse/group-rows.ts";

type IndexedRows = Pick<Backend, "gatherRows" | "scatterAddRows" | "groupIndices" | "pick" | "pickGrad">;

/**
 * Rows and entries chosen by an index per row. Indices are not checked here, because they are on the device: check them
 * before upload.
 */
export function indexedRows(gpu: Gpu, { spmm }: Pick<Backend, "spmm">): IndexedRows {
  return {
    gatherRows: gatherRows(gpu),
    scatterAddRows: scatterAddRows(gpu, spmm),
    groupIndices(rowPtr, order, index) {
      const name = "groupIndices";
      const at = gpu.ints(name, "index", index);
      group(gpu, gpu.ints(name, "rowPtr", rowPtr), gpu.ints(name, "order", order, at.length), at);
    },
    pick: pick(gpu),
    pickGrad: pickGrad(gpu),
  };
}

function gatherRows(gpu: Gpu): Backend["gatherRows"] {
  return (out, X, index, cols) => {
    const name = "gatherRows";
    const at = gpu.ints(name, "index", index);
    const { length } = at;
    const y = gpu.heap.stored(name, "out", out, out.dtype, length * cols);
    const x = gpu.heap.stored(name, "X", X, out.dtype);
    if (cols === 0) return;
    const together = cols % 4 === 0 ? 4 : cols % 2 === 0 ? 2 : 1;
    const width = cols / together;
    gpu.launch({
      shader: "gather-rows",
      constants: { T: together === 1 ? "u32" : `vec${together}u` },
      bind: { out: y, X: x, index: at },
      params: { length, cols: width, last: Math.max(0, Math.floor(x.length / cols) - 1) },
      threads: length * width,
    });
  };
}

function scatterAddRows(gpu: Gpu, spmm: Backend["spmm"]): Backend["scatterAddRows"] {
  return (out, X, index, rows, cols) => {
    const name = "scatterAddRows";
    const at = gpu.ints(name, "index", index);
    const { length } = at;
    gpu.floats(name, "out", out, rows * cols);
    gpu.floats(name, "X", X, length * cols);
    if (length === 0 || cols === 0) return;
    // out += S·X, where row i of the matrix of ones S has the t with index_t = i, in order
    gpu.borrow({ rowPtr: { i32: rows + 1 }, colIdx: { i32: length } }, ({ rowPtr, colIdx }) => {
      group(gpu, rowPtr, colIdx, at);
      spmm(out, { numRows: rows, numCols: length, rowPtr, colIdx, values: null }, X, cols, true);
    });
  };
}

function group(gpu: Gpu, rowPtr: GpuBuffer, order: GpuBuffer, index: GpuBuffer): void {
  groupRows(
    gpu,
    { rowPtr, colIdx: order, values: null },
    {
      kind: GROUP.indices,
      numRows: rowPtr.length - 1,
      length: index.length,
      sources: index,
      targets: null,
      weights: null,
      signs: null,
      floor: 0,
    },
  );
}

function pick(gpu: Gpu): Backend["pick"] {
  return (out, X, column, cols) => {
    const { length } = column;
    const at = gpu.ints("pick", "column", column);
    const y = gpu.floats("pick", "out", out, length);
    const x = gpu.floats("pick", "X", X, length * cols);
    gpu.launch({ shader: "pick", bind: { out: y, X: x, column: at }, params: { length, cols }, threads: length });
  };
}

function pickGrad(gpu: Gpu): Backend["pickGrad"] {
  return (out, x, column, cols) => {
    const { length } = column;
    const at = gpu.ints("pickGrad", "column", column);
    const y = gpu.floats("pickGrad", "out", out, length * cols);
    const dy = gpu.floats("pickGrad", "x", x, length);
    gpu.launch({ shader: "pick-grad", bind: { out: y, x: dy, column: at }, params: { length, cols }, threads: length });
  };
}

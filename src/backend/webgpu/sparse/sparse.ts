import type { Backend, Buffer, CsrBuffers } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { Precision } from "../precision.ts";
import { lanesFor } from "../shared/lanes.ts";
import { gatherWindows } from "./gather-windows.ts";
import { sddmm } from "./sddmm.ts";
import { overSparseRows } from "./sparse-rows.ts";

/** Threads that share the entries of a row, at most. */
const ENTRY_LANES = 32;

/** The ends of a pair that are added up, as bits in `pair-sums.wgsl`. */
const ENDS = { source: 1, target: 2, both: 3 } as const;

type Sparse = Pick<Backend, "spmm" | "sddmm" | "rowSums" | "pairSums" | "edgeSoftmax" | "edgeSoftmaxGrad">;

/** Products and sums over the entries of a sparse matrix or the pairs of a block. */
export function sparse(gpu: Gpu, precision: Precision): Sparse {
  return {
    spmm: spmm(gpu),
    sddmm: sddmm(gpu, precision),
    rowSums: rowSums(gpu),
    pairSums: pairSums(gpu),
    edgeSoftmax: edgeSoftmax(gpu),
    edgeSoftmaxGrad: edgeSoftmaxGrad(gpu),
  };
}

function spmm(gpu: Gpu): Backend["spmm"] {
  return (out, S, X, cols, accumulate = false) => sparseProduct(gpu, { out, S, X, cols, width: cols, accumulate });
}

/** A sparse product with matrices of `width` columns that stand side by side, `cols` in all. */
export interface SparseProduct {
  readonly out: Buffer;
  readonly S: CsrBuffers;
  readonly X: Buffer;
  readonly cols: number;
  readonly width: number;
  readonly accumulate: boolean;
}

export function sparseProduct(gpu: Gpu, { out, S, X, cols, width, accumulate }: SparseProduct): void {
  const { rowPtr, colIdx, values } = gpu.csr("spmm", S);
  const y = gpu.floats("spmm", "out", out, S.numRows * cols);
  const x = gpu.floats("spmm", "X", X, S.numCols * cols);
  const from = gatherWindows(gpu, x, S.numCols, cols);
  overSparseRows(gpu, {
    with: ["spmm-entries"],
    constants: {
      VALUED: Number(values !== null),
      ACCUMULATE: Number(accumulate),
      WINDOWS: from.rest ? 2 : 1,
    },
    rows: S.numRows,
    cols,
    width,
    piece: (begin, count) => ({
      bind: {
        out: y.window(begin * cols, count * cols),
        rowPtr: rowPtr.window(begin, count + 1),
        colIdx,
        entryValues: values,
        X: from.X,
        rest: from.rest,
      },
      params: { split: from.split },
    }),
  });
}

function rowSums(gpu: Gpu): Backend["rowSums"] {
  return (out, S, accumulate = false) => {
    const { rowPtr, values } = gpu.csr("rowSums", S);
    const y = gpu.floats("rowSums", "out", out, S.numRows);
    const { lanes, file } = lanesFor(gpu, values ? ENTRY_LANES : 1);
    gpu.launch({
      shader: "row-sums",
      with: [file],
      constants: { LANES: lanes, VALUED: Number(values !== null), ACCUMULATE: Number(accumulate) },
      bind: { out: y, rowPtr, entryValues: values },
      params: { rows: S.numRows },
      threads: S.numRows * lanes,
    });
  };
}

function pairSums(gpu: Gpu): Backend["pairSums"] {
  return ({ out, pairs, x, ends, accumulate = false, signs = null }) => {
    const name = "pairSums";
    const { sources, targets } = gpu.pairs(name, pairs);
    const sign = gpu.floatsOrNone(name, "signs", signs, pairs.length);
    gpu.launch({
      shader: "pair-sums",
      constants: { ENDS: ENDS[ends], ACCUMULATE: Number(accumulate), SIGNED: Number(sign !== null) },
      bind: {
        out: gpu.floats(name, "out", out, pairs.length),
        sources,
        targets,
        x: gpu.floats(name, "x", x, pairs.numNodes),
        signs: sign,
      },
      params: { length: pairs.length },
      threads: pairs.length,
    });
  };
}

function edgeSoftmax(gpu: Gpu): Backend["edgeSoftmax"] {
  return (out, S, x) => {
    const name = "edgeSoftmax";
    const { lanes, file } = lanesFor(gpu, ENTRY_LANES);
    gpu.launch({
      shader: "edge-softmax",
      with: [file],
      constants: { LANES: lanes },
      bind: {
        out: gpu.floats(name, "out", out),
        rowPtr: gpu.csr(name, S).rowPtr,
        x: gpu.floats(name, "x", x, out.length),
      },
      params: { rows: S.numRows, lowest: Number.NEGATIVE_INFINITY },
      threads: S.numRows * lanes,
    });
  };
}

function edgeSoftmaxGrad(gpu: Gpu): Backend["edgeSoftmaxGrad"] {
  return (dx, S, dy, y) => {
    const name = "edgeSoftmaxGrad";
    const { lanes, file } = lanesFor(gpu, ENTRY_LANES);
    gpu.launch({
      shader: "edge-softmax-grad",
      with: [file],
      constants: { LANES: lanes },
      bind: {
        dx: gpu.floats(name, "dx", dx),
        rowPtr: gpu.csr(name, S).rowPtr,
        dy: gpu.floats(name, "dy", dy, dx.length),
        y: gpu.floats(name, "y", y, dx.length),
      },
      params: { rows: S.numRows },
      threads: S.numRows * lanes,
    });
  };
}

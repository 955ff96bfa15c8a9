import type { Backend, CsrBuffers } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { lanesFor } from "../shared/lanes.ts";
import { inColumnPanels } from "./column-panel.ts";
import type { GatheredRows, RowGathering } from "./gathered-rows.ts";
import { sddmm } from "./sddmm.ts";
import { overSparseRows } from "./sparse-rows.ts";

/** Most threads that share the entries of a row. */
const ENTRY_LANES = 32;

/** At which ends of a pair x is read, as bits in `pair-sums.wgsl`. */
const ENDS = { source: 1, target: 2, both: 3 } as const;

type Sparse = Pick<Backend, "spmm" | "sddmm" | "rowSums" | "pairSums" | "edgeSoftmax" | "edgeSoftmaxGrad">;

/** Products and sums over the entries of a sparse matrix or the pairs of a block. */
export function sparse(gpu: Gpu, gathering: RowGathering, { binary }: Pick<Backend, "binary">): Sparse {
  return {
    spmm: spmm(gpu, gathering),
    sddmm: sddmm(gpu, gathering, binary),
    rowSums: rowSums(gpu),
    pairSums: pairSums(gpu),
    edgeSoftmax: edgeSoftmax(gpu),
    edgeSoftmaxGrad: edgeSoftmaxGrad(gpu),
  };
}

function spmm(gpu: Gpu, gathering: RowGathering): Backend["spmm"] {
  const spmm: Backend["spmm"] = (out, S, X, cols, accumulate = false) => {
    const y = gpu.floats("spmm", "out", out, S.numRows * cols);
    const x = gpu.floats("spmm", "X", X, S.numCols * cols);
    const gathers = { rows: S.numCols, cols, entries: S.colIdx.length };
    if (gathering.windows([x], gathers) > 2) {
      const product = { out: y, outRows: S.numRows, X: x, rows: S.numCols, cols, bias: null, accumulate };
      inColumnPanels(gpu, product, (panel) => spmm(panel.out, S, panel.X, panel.cols, accumulate));
      return;
    }
    sparseProduct(gpu, { out: y, S, X: gathering.from(x, gathers), cols, accumulate });
  };
  return spmm;
}

/** A product S·X, where rows of X have `cols` numbers. */
export interface SparseProduct {
  readonly out: GpuBuffer;
  readonly S: CsrBuffers;
  readonly X: GatheredRows;
  readonly cols: number;
  readonly accumulate: boolean;
}

export function sparseProduct(gpu: Gpu, { out, S, X, cols, accumulate }: SparseProduct): void {
  const { rowPtr, colIdx, values } = gpu.csr("spmm", S);
  overSparseRows(gpu, {
    with: ["spmm-entries", X.file, X.vectors.put],
    constants: { VALUED: Number(values !== null), ACCUMULATE: Number(accumulate) },
    rows: S.numRows,
    cols,
    vectors: X.vectors,
    piece: (begin, count) => ({
      bind: {
        out: out.window(begin * cols, count * cols),
        rowPtr: rowPtr.window(begin, count + 1),
        colIdx,
        entryValues: values,
        ...X.bind,
      },
      params: X.params,
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

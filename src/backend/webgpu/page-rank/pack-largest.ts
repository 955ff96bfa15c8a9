import { check } from "../../../core/errors.ts";
import type { NoisyGraphKernels } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { exclusiveScan } from "../selection/scan.ts";

/** Threads per row. */
const LANES = 32;

/** Packs rows of k places into rows of different lengths: counts entries, takes prefix sums, copies. */
export function packLargest(gpu: Gpu): NoisyGraphKernels["packLargest"] {
  return (to, from, { graphs, numNodes, k }) => {
    const name = "packLargest";
    const rows = graphs * numNodes;
    const { numRows: allRows } = to;
    check(rows <= allRows, () => `${name}: ${graphs} graphs of ${numNodes} rows do not fit ${allRows} rows`);
    const { rowPtr, colIdx } = gpu.csr(name, to);
    const packed = {
      packedColumns: gpu.ints(name, "to.colIdx", colIdx, rows * k),
      packedValues: gpu.floats(name, "to.values", to.values!, rows * k),
    };
    const columns = gpu.ints(name, "columns", from.columns, rows * k);
    const entryValues = gpu.floats(name, "values", from.values, rows * k);
    const shared = { shader: "positive-entries", constants: { LANES }, params: { rows, allRows, width: k } } as const;
    const none = { counts: null, packedColumns: null, packedValues: null, rowPtr: null, columns: null };
    const counting = { ...none, counts: rowPtr, entryValues };
    gpu.launch({ ...shared, entry: "count", bind: counting, threads: allRows + 1 });
    gpu.borrow({ copies: { i32: 2 * allRows } }, ({ copies }) => exclusiveScan(gpu, rowPtr, copies, allRows + 1));
    const packing = { ...none, ...packed, rowPtr, columns, entryValues };
    gpu.launch({ ...shared, entry: "pack", bind: packing, threads: rows * LANES });
  };
}

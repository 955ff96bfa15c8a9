import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { laneSums } from "../shared/lanes.ts";
import { entryDots } from "./entry-products.ts";
import { perEntryRow } from "./per-entry-row.ts";

/** Most neighbours whose pairs a workgroup of 16 × 16 threads handles, and the workgroup memory that this takes. */
const MOST = 64;
const MOST_BYTES = 32_768;

/** Rows with up to this many entries get a workgroup each; 0 if workgroup memory is too small for that. */
function mostEntries({ device }: Gpu): number {
  return device.limits.maxComputeWorkgroupStorageSize >= MOST_BYTES ? MOST : 0;
}

export function softMedoid(gpu: Gpu, { spmm, scaleRows }: Pick<Backend, "spmm" | "scaleRows">): Backend["softMedoid"] {
  const most = mostEntries(gpu);
  return ({ out, shares, S, X, cols, options: { temperature, scale, weightCorrection } }) => {
    const name = "softMedoid";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const q = gpu.floats(name, "shares", shares);
    const x = gpu.floats(name, "X", X, S.numCols * cols);
    const VALUED = Number(values !== null);
    gpu.borrow({ distances: { f32: colIdx.length } }, ({ distances }) => {
      const bind = { distances, rowPtr, colIdx, entryValues: values, X: x };
      if (most > 0) {
        gpu.launch({
          shader: "medoid-distances",
          with: [laneSums(gpu, most / 4)],
          constants: { MOST: most, LANES: most / 4, VALUED },
          bind,
          params: { rows: S.numRows, cols },
          groups: S.numRows,
        });
      }
      perEntryRow(gpu, S.numRows, {
        shader: "medoid-distances-long",
        constants: { MOST: most, VALUED },
        bind,
        params: { cols },
      });
      perEntryRow(gpu, S.numRows, {
        shader: "soft-medoid-shares",
        constants: { VALUED, WEIGHTED: Number(weightCorrection) },
        bind: { shares: q, distances, rowPtr, entryValues: values },
        params: { temperature, lowest: Number.NEGATIVE_INFINITY },
      });
    });
    spmm(out, { ...S, values: q }, X, cols);
    scaleRows({ out, X: out, scale, rows: S.numRows, cols });
  };
}

/** Needs a temporary row of terms per entry, so it is for small graphs. Long rows have a launch of their own. */
export function softMedoidGrad(
  gpu: Gpu,
  { fill, scatterAddRows }: Pick<Backend, "fill" | "scatterAddRows">,
): Backend["softMedoidGrad"] {
  const most = mostEntries(gpu);
  return ({ dX, dY, shares, S, X, cols, options: { temperature, scale } }) => {
    const name = "softMedoidGrad";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const g = gpu.floats(name, "dY", dY, S.numRows * cols);
    const q = gpu.floats(name, "shares", shares);
    const x = gpu.floats(name, "X", X, S.numCols * cols);
    const factor = gpu.floats(name, "scale", scale, S.numRows);
    const { length } = colIdx;
    const scratch = {
      dots: { f32: length },
      towards: { f32: length },
      direct: { f32: length },
      columns: { i32: length },
      terms: { f32: length * cols },
    };
    gpu.borrow(scratch, ({ dots, towards, direct, columns, terms }) => {
      entryDots(gpu, { out: dots, S, G: g, X: x, cols });
      fill(columns, -1); // entries beyond the last go nowhere
      perEntryRow(gpu, S.numRows, {
        shader: "soft-medoid-towards",
        bind: { towards, direct, columns, rowPtr, colIdx, shares: q, dots, scale: factor },
        params: { temperature },
      });
      const VALUED = Number(values !== null);
      const bind = { terms, rowPtr, colIdx, entryValues: values, towards, direct, X: x, dY: g };
      const params = { rows: S.numRows, cols };
      if (most > 0) {
        const constants = { MOST: most, VALUED };
        gpu.launch({ shader: "soft-medoid-grad", constants, bind, params, groups: S.numRows });
      }
      perEntryRow(gpu, S.numRows, {
        shader: "soft-medoid-grad-long",
        constants: { MOST: most, VALUED },
        bind,
        params: { cols },
      });
      scatterAddRows(dX, terms, columns, S.numCols, cols);
    });
  };
}

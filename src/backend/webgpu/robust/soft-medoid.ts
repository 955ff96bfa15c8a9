import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { entryDots } from "./entry-products.ts";
import { perEntryRow } from "./per-entry-row.ts";

export function softMedoid(gpu: Gpu, { spmm, scaleRows }: Pick<Backend, "spmm" | "scaleRows">): Backend["softMedoid"] {
  return ({ out, shares, S, X, cols, options: { temperature, scale, weightCorrection } }) => {
    const name = "softMedoid";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const q = gpu.floats(name, "shares", shares);
    const x = gpu.floats(name, "X", X, S.numCols * cols);
    perEntryRow(gpu, S.numRows, {
      shader: "soft-medoid-shares",
      constants: { VALUED: Number(values !== null), WEIGHTED: Number(weightCorrection) },
      bind: { shares: q, rowPtr, colIdx, entryValues: values, X: x },
      params: { cols, temperature, lowest: Number.NEGATIVE_INFINITY },
    });
    spmm(out, { ...S, values: q }, X, cols);
    scaleRows({ out, X: out, scale, rows: S.numRows, cols });
  };
}

/** One row of terms per entry exists for a while: this aggregation is for small graphs. */
export function softMedoidGrad(
  gpu: Gpu,
  { fill, scatterAddRows }: Pick<Backend, "fill" | "scatterAddRows">,
): Backend["softMedoidGrad"] {
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
      perEntryRow(gpu, S.numRows, {
        shader: "soft-medoid-grad",
        constants: { VALUED: Number(values !== null) },
        bind: { terms, rowPtr, colIdx, entryValues: values, towards, direct, X: x, dY: g },
        params: { cols },
      });
      scatterAddRows(dX, terms, columns, S.numCols, cols);
    });
  };
}

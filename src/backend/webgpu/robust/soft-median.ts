import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { entryDistances, entryDots } from "./entry-products.ts";
import { perEntryRow } from "./per-entry-row.ts";
import { findMedians } from "./weighted-median.ts";

/** Soft Median with stored numbers per entry: its distance to the median of the row, and its share of the sum. */
export function softMedian(gpu: Gpu, { spmm }: Pick<Backend, "spmm">): Backend["softMedian"] {
  return ({ out, saved, S, X, cols, temperature }) => {
    const name = "softMedian";
    const { rowPtr, values } = gpu.csr(name, S);
    const size = S.numRows * cols;
    const median = gpu.floats(name, "saved.median", saved.median, size);
    const holder = gpu.ints(name, "saved.at", saved.at, size);
    const shares = gpu.floats(name, "saved.shares", saved.shares);
    const x = gpu.floats(name, "X", X, S.numCols * cols);
    findMedians(gpu, { median, holder }, S, x, cols);
    const { length } = shares;
    gpu.borrow({ distances: { f32: length }, direct: { f32: length } }, ({ distances, direct }) => {
      entryDistances(gpu, { out: distances, S, G: median, X: x, cols });
      perEntryRow(gpu, S.numRows, {
        shader: "soft-median-shares",
        constants: { VALUED: Number(values !== null) },
        bind: { shares, direct, rowPtr, entryValues: values, distances },
        params: { temperature, lowest: Number.NEGATIVE_INFINITY },
      });
      spmm(out, { ...S, values: direct }, X, cols);
    });
  };
}

export function softMedianGrad(gpu: Gpu): Backend["softMedianGrad"] {
  return ({ values: dValues, toX, dY, S, X, saved, cols, temperature }) => {
    const name = "softMedianGrad";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const size = S.numRows * cols;
    const shares = gpu.floats(name, "saved.shares", saved.shares);
    const median = gpu.floats(name, "saved.median", saved.median, size);
    const g = gpu.floats(name, "dY", dY, size);
    const x = gpu.floats(name, "X", X, S.numCols * cols);
    const da = gpu.floatsOrNone(name, "values", dValues, shares.length);
    const terms = gpu.floatsOrNone(name, "toX.terms", toX?.terms, 2 * shares.length);
    gpu.borrow({ dots: { f32: shares.length }, distances: { f32: shares.length } }, ({ dots, distances }) => {
      entryDots(gpu, { out: dots, S, G: g, X: x, cols });
      if (toX) entryDistances(gpu, { out: distances, S, G: median, X: x, cols });
      perEntryRow(gpu, S.numRows, {
        shader: "soft-median-grad",
        constants: {
          VALUED: Number(values !== null),
          TO_VALUES: Number(da !== null),
          TO_X: Number(toX !== null),
        },
        bind: { dValues: da, terms, rowPtr, entryValues: values, shares, dots, distances },
        params: { cols, temperature },
      });
    });
    if (!toX) return;
    const { T, width } = rowVectors(cols);
    gpu.launch({
      shader: "median-grad",
      constants: { T },
      bind: {
        medianGrad: gpu.floats(name, "toX.medianGrad", toX.medianGrad, size),
        rowPtr,
        colIdx,
        terms,
        X: x,
        median,
      },
      params: { rows: S.numRows, cols: width },
      threads: S.numRows * width,
    });
  };
}

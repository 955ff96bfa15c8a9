import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { softMedian, softMedianGrad } from "./soft-median.ts";
import { hasRoomForRows, softMedianByRows } from "./soft-median-by-rows.ts";
import { softMedoid, softMedoidGrad } from "./soft-medoid.ts";
import { weightedMedian } from "./weighted-median.ts";

type Robust = Pick<Backend, "weightedMedian" | "softMedian" | "softMedianGrad" | "softMedoid" | "softMedoidGrad"> &
  Partial<Pick<Backend, "softMedianSteps">>;

/** Robust aggregations over the entries of sparse rows. `kernels` do their weighted sums and scatters. */
export function robust(gpu: Gpu, kernels: Pick<Backend, "spmm" | "scaleRows" | "scatterAddRows" | "fill">): Robust {
  return {
    weightedMedian: weightedMedian(gpu),
    softMedian: softMedian(gpu, kernels),
    softMedianGrad: softMedianGrad(gpu),
    ...(hasRoomForRows(gpu) && { softMedianSteps: softMedianByRows(gpu) }),
    softMedoid: softMedoid(gpu, kernels),
    softMedoidGrad: softMedoidGrad(gpu, kernels),
  };
}

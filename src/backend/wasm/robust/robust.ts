import type { Engine } from "../engine/engine.ts";
import { pullRows } from "./pull-rows.ts";
import { softMedian, softMedianGrad, weightedMedian } from "./soft-median.ts";
import { softMedoid, softMedoidGrad } from "./soft-medoid.ts";

/** Robust aggregation: each thread gathers the neighbours of a row into a workspace of its own. */
export function robust(engine: Engine) {
  return {
    weightedMedian: weightedMedian(engine),
    softMedian: softMedian(engine),
    softMedianGrad: softMedianGrad(engine),
    pullRows: pullRows(engine),
    softMedoid: softMedoid(engine),
    softMedoidGrad: softMedoidGrad(engine),
  };
}

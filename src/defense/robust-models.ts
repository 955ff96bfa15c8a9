import { erase, fullBatchKind, type ModelKind } from "../nn/models/model-kind.ts";
import type { Pprgo } from "../nn/models/pprgo.ts";
import { pprgoTrainOptions, trainOnRows } from "../nn/training/train-on-rows.ts";
import { trainPprgo } from "../nn/training/train-pprgo.ts";
import { createJaccardGcn, jaccardGcnOptions } from "./jaccard-gcn.ts";
import { Rgcn, rgcnOptions } from "./rgcn.ts";
import { createSoftMedianGdc, createSoftMedoidGdc, softMedianGdcOptions, softMedoidGdcOptions } from "./robust-gdc.ts";
import { createSoftMedianPprgo, createSoftMedoidPprgo, robustPprgoOptions } from "./robust-pprgo.ts";
import { createSvdGcn, svdGcnOptions } from "./svd-gcn.ts";
import { rgcnTrainOptions, trainRgcn } from "./train-rgcn.ts";

/** The models with a defence, by name. */
export const robustModels: Readonly<Record<string, ModelKind>> = {
  "soft-median-gdc": fullBatchKind(
    "GDC that takes the Soft Median of its neighbours",
    softMedianGdcOptions,
    createSoftMedianGdc,
  ),
  "soft-medoid-gdc": fullBatchKind(
    "GDC that takes the Soft Medoid of its neighbours",
    softMedoidGdcOptions,
    createSoftMedoidGdc,
  ),
  "soft-median-pprgo": robustPprgo("PPRGo that takes the Soft Median of its neighbours", createSoftMedianPprgo),
  "soft-medoid-pprgo": robustPprgo("PPRGo that takes the Soft Medoid of its neighbours", createSoftMedoidPprgo),
  "jaccard-gcn": fullBatchKind("GCN on the edges between similar nodes", jaccardGcnOptions, createJaccardGcn),
  "svd-gcn": fullBatchKind("GCN on a low-rank approximation of the graph", svdGcnOptions, createSvdGcn),
  rgcn: erase({
    summary: "GCN whose hidden representations are normal distributions",
    options: rgcnOptions,
    trainingOptions: rgcnTrainOptions,
    create: (...args) => new Rgcn(...args),
    train: (model, ...args) => trainRgcn(model as Rgcn, ...args),
  }),
};

function robustPprgo(summary: string, create: typeof createSoftMedianPprgo): ModelKind {
  return erase({
    summary,
    options: robustPprgoOptions,
    trainingOptions: pprgoTrainOptions,
    create,
    train: (model, ...args) => trainPprgo(model as Pprgo, ...args),
    trainOnRows: (model, ...args) => trainOnRows(model as Pprgo, ...args),
  });
}

import { erase, fullBatchKind, type ModelKind } from "../nn/models/model-kind.ts";
import type { Pprgo } from "../nn/models/pprgo.ts";
import { pprgoTrainDefaults, trainPprgo } from "../nn/training/train-pprgo.ts";
import { createJaccardGcn, jaccardGcnDefaults } from "./jaccard-gcn.ts";
import { Rgcn, rgcnDefaults } from "./rgcn.ts";
import {
  createSoftMedianGdc,
  createSoftMedoidGdc,
  softMedianGdcDefaults,
  softMedoidGdcDefaults,
} from "./robust-gdc.ts";
import { createSoftMedianPprgo, createSoftMedoidPprgo, robustPprgoDefaults } from "./robust-pprgo.ts";
import { createSvdGcn, svdGcnDefaults } from "./svd-gcn.ts";
import { rgcnTrainDefaults, trainRgcn } from "./train-rgcn.ts";

/** The models with a defence, by name. */
export const robustModels: Readonly<Record<string, ModelKind>> = {
  "soft-median-gdc": fullBatchKind(
    "GDC that takes the Soft Median of its neighbours",
    softMedianGdcDefaults,
    createSoftMedianGdc,
  ),
  "soft-medoid-gdc": fullBatchKind(
    "GDC that takes the Soft Medoid of its neighbours",
    softMedoidGdcDefaults,
    createSoftMedoidGdc,
  ),
  "soft-median-pprgo": robustPprgo("PPRGo that takes the Soft Median of its neighbours", createSoftMedianPprgo),
  "soft-medoid-pprgo": robustPprgo("PPRGo that takes the Soft Medoid of its neighbours", createSoftMedoidPprgo),
  "jaccard-gcn": fullBatchKind("GCN on the edges between similar nodes", jaccardGcnDefaults, createJaccardGcn),
  "svd-gcn": fullBatchKind("GCN on a low-rank approximation of the graph", svdGcnDefaults, createSvdGcn),
  rgcn: erase({
    summary: "GCN whose hidden representations are normal distributions",
    ...{ defaults: rgcnDefaults, training: rgcnTrainDefaults },
    create: (...args) => new Rgcn(...args),
    train: (model, ...args) => trainRgcn(model as Rgcn, ...args),
  }),
};

function robustPprgo(summary: string, create: typeof createSoftMedianPprgo): ModelKind {
  return erase({
    ...{ summary, defaults: robustPprgoDefaults, training: pprgoTrainDefaults, create },
    train: (model, ...args) => trainPprgo(model as Pprgo, ...args),
  });
}

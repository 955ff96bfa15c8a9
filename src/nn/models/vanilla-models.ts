import { pprgoTrainOptions, trainOnRows } from "../training/train-on-rows.ts";
import { trainPprgo } from "../training/train-pprgo.ts";
import { Gat, gatOptions } from "./gat.ts";
import { denseGcnOptions, Gcn, gcnOptions, linearGcnOptions } from "./gcn.ts";
import { createGdc, gdcOptions } from "./gdc.ts";
import { createGdcGat, gdcGatOptions } from "./gdc-gat.ts";
import { Mlp, mlpOptions } from "./mlp.ts";
import { erase, fullBatchKind, type ModelKind } from "./model-kind.ts";
import { Pprgo, pprgoOptions } from "./pprgo.ts";
import { Sgc, sgcOptions } from "./sgc.ts";

/** The models without a defence, by name. */
export const vanillaModels: Readonly<Record<string, ModelKind>> = {
  gcn: fullBatchKind("graph convolutional network", gcnOptions, (...args) => new Gcn(...args)),
  "dense-gcn": fullBatchKind(
    "GCN without biases, the surrogate of FGSM and PGD",
    denseGcnOptions,
    (...args) => new Gcn(...args),
  ),
  "linear-gcn": fullBatchKind(
    "GCN without activations, the surrogate of Nettack",
    linearGcnOptions,
    (...args) => new Gcn(...args),
  ),
  gdc: fullBatchKind("GCN over PageRank neighbours", gdcOptions, createGdc),
  pprgo: erase({
    summary: "encoded features summed along pushed PageRank rows, trained on mini-batches",
    options: pprgoOptions,
    trainingOptions: pprgoTrainOptions,
    create: (...args) => new Pprgo(...args),
    train: (model, ...args) => trainPprgo(model as Pprgo, ...args),
    trainOnRows: (model, ...args) => trainOnRows(model as Pprgo, ...args),
  }),
  sgc: fullBatchKind("simplified graph convolution, linear", sgcOptions, (...args) => new Sgc(...args)),
  gat: fullBatchKind("graph attention network, one head", gatOptions, (...args) => new Gat(...args)),
  "gdc-gat": fullBatchKind("GAT over PageRank neighbours", gdcGatOptions, createGdcGat),
  mlp: fullBatchKind(
    "perceptron on the features alone: the floor no edge attack can break",
    mlpOptions,
    (...args) => new Mlp(...args),
  ),
};

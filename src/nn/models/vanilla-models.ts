import { pprgoTrainDefaults, trainPprgo } from "../training/train-pprgo.ts";
import { Gat, gatDefaults } from "./gat.ts";
import { denseGcnDefaults, Gcn, gcnDefaults, linearGcnDefaults } from "./gcn.ts";
import { createGdc, gdcDefaults } from "./gdc.ts";
import { createGdcGat, gdcGatDefaults } from "./gdc-gat.ts";
import { Mlp, mlpDefaults } from "./mlp.ts";
import { erase, fullBatchKind, type ModelKind } from "./model-kind.ts";
import { Pprgo, pprgoDefaults } from "./pprgo.ts";
import { Sgc, sgcDefaults } from "./sgc.ts";

/** The models without a defence, by name. */
export const vanillaModels: Readonly<Record<string, ModelKind>> = {
  gcn: fullBatchKind("graph convolutional network", gcnDefaults, (...args) => new Gcn(...args)),
  "dense-gcn": fullBatchKind(
    "GCN without biases, the surrogate of FGSM and PGD",
    denseGcnDefaults,
    (...args) => new Gcn(...args),
  ),
  "linear-gcn": fullBatchKind(
    "GCN without activations, the surrogate of Nettack",
    linearGcnDefaults,
    (...args) => new Gcn(...args),
  ),
  gdc: fullBatchKind("GCN over PageRank neighbours", gdcDefaults, createGdc),
  pprgo: erase({
    summary: "encoded features summed along pushed PageRank rows, trained on mini-batches",
    defaults: pprgoDefaults,
    training: pprgoTrainDefaults,
    create: (...args) => new Pprgo(...args),
    train: (model, ...args) => trainPprgo(model as Pprgo, ...args),
  }),
  sgc: fullBatchKind("simplified graph convolution, linear", sgcDefaults, (...args) => new Sgc(...args)),
  gat: fullBatchKind("graph attention network, one head", gatDefaults, (...args) => new Gat(...args)),
  "gdc-gat": fullBatchKind("GAT over PageRank neighbours", gdcGatDefaults, createGdcGat),
  mlp: fullBatchKind(
    "perceptron on the features alone: the floor no edge attack can break",
    mlpDefaults,
    (...args) => new Mlp(...args),
  ),
};

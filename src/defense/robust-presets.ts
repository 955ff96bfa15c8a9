import { type Presets, vanillaPresets } from "../nn/models/presets.ts";

const { gdc, pprgo } = vanillaPresets;

/** PPRGo on Products: besides the temperature, the robust model differs only in weight decay. */
const products = { ...pprgo!["ogbn-products"], weightDecay: 5e-5 };

/** Published hyperparameters of the robust models, at the temperatures that the published tables report. */
export const robustPresets: Presets = {
  "soft-median-gdc": {
    pubmed: { method: "push" },
    "ogbn-arxiv": gdc!["ogbn-arxiv"],
    "ogbn-products": {
      method: "push",
      hidden: [128],
      batchNorm: true,
      k: 32,
      temperature: 5,
      weightDecay: 0,
      maxEpochs: 500,
    },
  },
  "soft-medoid-gdc": {
    pubmed: { method: "push" },
    "ogbn-arxiv": { ...gdc!["ogbn-arxiv"], hidden: [64], temperature: 5 },
  },
  "soft-median-pprgo": {
    cora_ml: { hidden: [128], alpha: 0.197724, epsilon: 1e-4, learningRate: 1e-2, weightDecay: 1e-2 },
    citeseer: { hidden: [128], alpha: 0.179727, dropout: 0.1, learningRate: 1e-2, weightDecay: 1e-2 },
    pubmed: { ...pprgo!["pubmed"], batchSize: 8192, temperature: 5 },
    "ogbn-arxiv": {
      ...pprgo!["ogbn-arxiv"],
      learningRate: 1e-3,
      weightDecay: 1e-5,
      batchSize: 4096,
      temperature: 5,
    },
    "ogbn-products": { ...products, temperature: 30 },
    "ogbn-papers100M": { ...pprgo!["ogbn-papers100M"], temperature: 20 },
  },
  "soft-medoid-pprgo": {
    cora_ml: { hidden: [128], alpha: 0.15347, dropout: 0.1, learningRate: 1e-2, weightDecay: 1e-2 },
    citeseer: { hidden: [128], alpha: 0.166807, dropout: 0.1, learningRate: 1e-2, weightDecay: 1e-2 },
  },
  "jaccard-gcn": vanillaPresets["gcn"],
  "svd-gcn": {},
  rgcn: {},
};

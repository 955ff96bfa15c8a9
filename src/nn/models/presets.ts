import type { Hyperparameters } from "./model-kind.ts";

/** By model, then by dataset; "*" stands for any other. */
export type Presets = Readonly<Record<string, Readonly<Record<string, Hyperparameters>>>>;

/** PageRank rows of PPRGo on graphs of medium size, and batches to match. */
const wide = { epsilon: 1e-6, k: 256, valBatches: 1 };

/**
 * Hyperparameters of the published experiments where they differ from a model's defaults, by model and dataset. They
 * hold values of the model and of its training; the names do not overlap. For `gdc-gat` nothing is published on large
 * graphs: its presets only choose push.
 */
export const vanillaPresets: Presets = {
  gcn: {
    "ogbn-arxiv": { hidden: [256, 256], batchNorm: true, weightDecay: 0 },
    "ogbn-products": { hidden: [256, 256], weightDecay: 0 },
  },
  gdc: {
    pubmed: { method: "push", k: 32 },
    "ogbn-arxiv": { method: "push", alpha: 0.1, hidden: [256, 256], batchNorm: true, weightDecay: 0 },
    "ogbn-products": { method: "push", hidden: [256, 256], weightDecay: 0 },
  },
  "gdc-gat": { pubmed: { method: "push" }, "ogbn-arxiv": { method: "push" }, "ogbn-products": { method: "push" } },
  pprgo: {
    cora_ml: { alpha: 0.098678 },
    citeseer: { alpha: 0.203183, weightDecay: 1e-2 },
    pubmed: { ...wide, hidden: [256], dropout: 0.25, learningRate: 1e-4, batchSize: 10_240 },
    "ogbn-arxiv": { ...wide, hidden: [320], dropout: 0, learningRate: 1e-2, weightDecay: 0, batchSize: 8192 },
    "ogbn-products": {
      hidden: [512, 512, 512],
      dropout: 0,
      batchNorm: true,
      epsilon: 1e-5,
      k: 128,
      learningRate: 1e-2,
      weightDecay: 0,
      batchSize: 2048,
      valBatches: 1,
      maxEpochs: 30,
    },
    "ogbn-papers100M": {
      hidden: [512, 512, 512, 512, 512, 512],
      dropout: 0,
      batchNorm: true,
      alpha: 0.001,
      epsilon: 1e-5,
      k: 128,
      learningRate: 1e-3,
      weightDecay: 0,
      batchSize: 768,
      valBatches: 1,
      maxEpochs: 10,
      patience: 30,
    },
  },
  sgc: {
    cora_ml: { learningRate: 0.2, weightDecay: 1.3026973714043257e-5 },
    citeseer: { learningRate: 0.2, weightDecay: 2.3545587233182368e-5 },
    pubmed: { learningRate: 0.0097, weightDecay: 1.7e-4 },
    "ogbn-arxiv": { learningRate: 0.01, weightDecay: 1e-7, maxEpochs: 5000 },
    "ogbn-products": { learningRate: 5e-4, weightDecay: 1.81e-6, maxEpochs: 5000 },
    "*": { learningRate: 0.2, weightDecay: 1.3026973714043257e-5 },
  },
};

/** The preset of a model on a dataset, and the name to report it by. */
export function presetOf(presets: Presets, model: string, dataset: string): { name: string; values: Hyperparameters } {
  const forModel = presets[model] ?? {};
  if (forModel[dataset]) return { name: dataset, values: forModel[dataset] };
  return { name: "default", values: forModel["*"] ?? {} };
}

import type { Hyperparameters } from "./model-kind.ts";

/**
 * Hyperparameters of the published experiments where they differ from a model's defaults, by model and dataset. They hold
 * values of the model and of its training alike; the names do not overlap.
 */
const presets: Readonly<Record<string, Readonly<Record<string, Hyperparameters>>>> = {
  gcn: {
    "ogbn-arxiv": { hidden: [256, 256], batchNorm: true, weightDecay: 0 },
    "ogbn-products": { hidden: [256, 256], weightDecay: 0 },
  },
  gdc: {
    pubmed: { method: "push", k: 32 },
    "ogbn-arxiv": { method: "push", alpha: 0.1, hidden: [256, 256], batchNorm: true, weightDecay: 0 },
    "ogbn-products": { method: "push", hidden: [256, 256], weightDecay: 0 },
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
export function presetOf(model: string, dataset: string): { name: string; values: Hyperparameters } {
  const forModel = presets[model] ?? {};
  if (forModel[dataset]) return { name: dataset, values: forModel[dataset] };
  return { name: "default", values: forModel["*"] ?? {} };
}

import { boolean, choice, realNumber, wholeNumber, wholeNumbers } from "../../core/options/index.ts";

/** Hyperparameters that several models share. */
export const hiddenOption = wholeNumbers({
  from: 1,
  default: [64],
  help: "width of each hidden layer; none for a single layer",
});

export const dropoutOption = realNumber({
  from: 0,
  below: 1,
  default: 0.5,
  help: "share of the hidden values that a training pass leaves out",
});

export const batchNormOption = boolean({ default: false, help: "batch normalisation behind every hidden layer" });

/** Whether PageRank is exact or by push. */
export const methodOption = choice({
  of: ["exact", "push"],
  default: "exact",
  help: "exact PageRank, which is dense, or push, for large graphs; attacks differentiate through both",
});

export const alphaOption = realNumber({
  above: 0,
  below: 1,
  default: 0.15,
  help: "restart probability of PageRank",
});

export const neighboursOption = wholeNumber({ from: 1, default: 64, help: "neighbours kept per node" });

export const toleranceOption = realNumber({ above: 0, default: 1e-4, help: "tolerance of push" });

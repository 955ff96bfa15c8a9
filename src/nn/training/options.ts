import { describeOptions, type OptionsOf, realNumber, wholeNumber } from "../../core/options/index.ts";

/** Options that several ways to train have. */
export const learningRateOption = realNumber({ from: 0, default: 0.01, help: "step size of Adam" });

export const maxEpochsOption = wholeNumber({ from: 0, default: 3000, help: "most epochs of training" });

const probability = (help: string) => realNumber({ from: 0, below: 1, default: 0, help });

/** Noise on the training graph, drawn anew for each epoch. */
export const noiseOptions = describeOptions({
  edgeNoiseAdd: probability("probability that an epoch sees an edge where there is none"),
  edgeNoiseDelete: probability("probability that an epoch does not see an edge"),
  featureNoiseAdd: probability("probability that an epoch sees a word that a node does not have"),
  featureNoiseDelete: probability("probability that an epoch does not see a word of a node"),
});

export type NoiseConfig = OptionsOf<typeof noiseOptions>;

import { realNumber, wholeNumber } from "../../core/options/index.ts";

/** Options that several ways to train have. */
export const learningRateOption = realNumber({ from: 0, default: 0.01, help: "step size of Adam" });

export const maxEpochsOption = wholeNumber({ from: 0, default: 3000, help: "most epochs of training" });

import type { AdamOptions, Buffer } from "../backend.ts";
import { floats } from "./storage.ts";

/** One step of Adam (Kingma & Ba 2015, algorithm 1), with the decay added to the gradient rather than decoupled. */
export function adam(parameter: Buffer, gradient: Buffer, m: Buffer, v: Buffer, options: AdamOptions): void {
  const { step, learningRate, weightDecay, beta1, beta2, epsilon } = options;
  const w = floats("adam", "parameter", parameter);
  const g = floats("adam", "gradient", gradient, w.length);
  const first = floats("adam", "m", m, w.length);
  const second = floats("adam", "v", v, w.length);
  for (let e = 0; e < w.length; e++) {
    const slope = g[e] + weightDecay * w[e];
    first[e] = beta1 * first[e] + (1 - beta1) * slope;
    second[e] = beta2 * second[e] + (1 - beta2) * slope * slope;
    const mean = first[e] / (1 - beta1 ** step);
    const variance = second[e] / (1 - beta2 ** step);
    w[e] = w[e] - (learningRate * mean) / (Math.sqrt(variance) + epsilon);
  }
}

import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";

export function adam(engine: Engine): Backend["adam"] {
  return (parameter, gradient, m, v, { step, learningRate, weightDecay, beta1, beta2, epsilon }) => {
    const { length } = parameter;
    const buffers = [
      engine.floats("adam", "parameter", parameter),
      engine.floats("adam", "gradient", gradient, length),
      engine.floats("adam", "m", m, length),
      engine.floats("adam", "v", v, length),
    ];
    const rate = learningRate / (1 - beta1 ** step);
    const root = 1 / Math.sqrt(1 - beta2 ** step);
    const averages = [beta1, 1 - beta1, beta2, 1 - beta2];
    engine.run("adam", length, GRAIN, ...buffers, rate, root, weightDecay, ...averages, epsilon);
  };
}

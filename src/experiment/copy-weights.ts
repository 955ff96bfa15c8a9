import { check } from "../core/errors.ts";
import type { Model } from "../nn/model.ts";

/** Copies parameters and statistics to a model of the same structure; the two may be on different backends. */
export async function copyWeights(from: Model, to: Model): Promise<void> {
  for (const state of ["parameters", "statistics"] as const) {
    for (const [name, tensor] of from[state]) {
      const own = to[state].get(name);
      check(own !== undefined, () => `copyWeights: ${to.name} has no ${name}, which ${from.name} has`);
      own.assign(await tensor.read());
    }
  }
}

import { expect } from "vitest";
import { Rng } from "../../src/core/rng.ts";
import { mul } from "../../src/tensor/ops/elementwise.ts";
import { sum } from "../../src/tensor/ops/reductions.ts";
import { scope } from "../../src/tensor/scope.ts";
import { valueAndGrad } from "../../src/tensor/tape.ts";
import { type Tensor, tensor } from "../../src/tensor/tensor.ts";
import { valuesOf } from "./dense.ts";
import { randomTensor } from "./random-tensor.ts";

const STEP = 1e-5;
const TOLERANCE = 1e-6;

/**
 * Compares the gradient of `f` in each input, asked for alone, with central finite differences along one random
 * direction. What `f` returns may have any shape: it is reduced by fixed random weights, so that an entry in the wrong
 * place shows. Inputs are on a float64 backend and keep their values.
 */
export async function expectGradient(
  f: (...inputs: Tensor[]) => Tensor,
  inputs: readonly Tensor[],
  seed: number,
): Promise<void> {
  const reduced = (...at: Tensor[]) => {
    const Y = f(...at);
    return sum(mul(Y, randomTensor(Y.backend, Y.shape, seed)));
  };
  for (const [k, input] of inputs.entries()) {
    const { value, grads } = valueAndGrad(() => [reduced(...inputs)], [input]);
    const gradient = await valuesOf(grads[0]);
    expect(grads[0].shape, `shape of the gradient in input ${k}`).toEqual(input.shape);
    value.dispose();
    grads[0].dispose();

    const direction = randomDirection(input.size, new Rng(seed + 1 + k));
    const base = await valuesOf(input);
    const along = async (step: number) => {
      const y = scope(() => {
        const moved = tensor(
          input.backend,
          base.map((x, e) => x + step * direction[e]),
          input.shape,
        );
        return reduced(...inputs.with(k, moved));
      });
      const result = await y.item();
      y.dispose();
      return result;
    };
    const numeric = ((await along(STEP)) - (await along(-STEP))) / (2 * STEP);
    const analytic = gradient.reduce((total, g, e) => total + g * direction[e], 0);
    const error = Math.abs(analytic - numeric) / Math.max(1, Math.abs(numeric));
    expect(error, `input ${k}: gradient ${analytic}, finite differences ${numeric}`).toBeLessThan(TOLERANCE);
  }
}

/** Of length 1, so that the size of the input does not change the error. */
function randomDirection(size: number, rng: Rng): Float64Array {
  const direction = Float64Array.from({ length: size }, () => rng.normal());
  const norm = Math.hypot(...direction);
  return direction.map((x) => x / norm);
}

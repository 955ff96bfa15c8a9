import type { Backend } from "../../backend/backend.ts";
import type { Rng } from "../../core/rng.ts";
import { filled, keep, type Tensor, tensor } from "../../tensor/index.ts";

/** Glorot and Bengio (2010): uniform in ±√(6 / (fanIn + fanOut)). Used by convolutions. */
export function glorot(backend: Backend, fanIn: number, fanOut: number, rng: Rng): Tensor {
  return uniform(backend, [fanIn, fanOut], Math.sqrt(6 / (fanIn + fanOut)), rng);
}

/** Uniform in ±1 / √fanIn, the custom of plain linear layers. */
export function fanInUniform(backend: Backend, shape: readonly number[], fanIn: number, rng: Rng): Tensor {
  return uniform(backend, shape, 1 / Math.sqrt(fanIn), rng);
}

/** A parameter that starts at one value everywhere. */
export function constant(backend: Backend, shape: readonly number[], value: number): Tensor {
  return keep(filled(backend, shape, value));
}

function uniform(backend: Backend, shape: readonly number[], bound: number, rng: Rng): Tensor {
  const values = new Float32Array(shape.reduce((size, n) => size * n, 1));
  for (let i = 0; i < values.length; i++) values[i] = (2 * rng.uniform() - 1) * bound;
  return keep(tensor(backend, values, shape));
}

import type { Backend } from "../../src/backend/backend.ts";
import { Rng } from "../../src/core/rng.ts";
import { type Shape, sizeOf, type Tensor, tensor } from "../../src/tensor/tensor.ts";

/** Standard normal entries; the same seed gives the same ones. */
export function randomTensor(backend: Backend, shape: Shape, seed: number): Tensor {
  const rng = new Rng(seed);
  const values = Float64Array.from({ length: sizeOf(shape) }, () => rng.normal());
  return tensor(backend, values, shape);
}

/** Entries uniform in [0.5, 2): for functions that are only smooth above zero. */
export function positiveTensor(backend: Backend, shape: Shape, seed: number): Tensor {
  const rng = new Rng(seed);
  const values = Float64Array.from({ length: sizeOf(shape) }, () => 0.5 + 1.5 * rng.uniform());
  return tensor(backend, values, shape);
}

import type { Flips } from "../../graph/flips.ts";
import { type Block, type Tensor, tensor } from "../../tensor/index.ts";
import { pairsAt } from "../block.ts";
import { ascendOntoBudget } from "../projection.ts";
import type { Constraints } from "./constraints.ts";
import { LimitedProjection } from "./limited-projection.ts";

/** p ← p + rate·gradient, projected onto what is allowed; returns `[Σ clip(p, 0, 1) before, …]` on the device. */
export type Ascend = (block: Block, gradient: Tensor, rate: number) => Tensor | Promise<Tensor>;

/** What weights must keep to, and the weight of a candidate that is not in use. */
export interface AscentBounds {
  readonly budget: number;
  readonly floor: number;
  readonly constraints: Constraints | undefined;
}

/** The step for these bounds: on the device if there is only a budget, partly on the host if nodes have limits. */
export function ascenderFor({ budget, floor, constraints }: AscentBounds): Ascend {
  if (!constraints?.hasLimits) {
    return ({ weights }, gradient, rate) => ascendOntoBudget(weights, gradient, rate, budget, floor);
  }
  const projection = projectionOf(constraints, budget);
  return ({ pairs, weights }, gradient, rate) => {
    const { backend } = weights;
    backend.affine({ out: weights.buffer, a: 1, A: weights.buffer, b: rate, B: gradient.buffer });
    return projectOntoLimits(weights, (places) => pairsAt(backend, pairs, places), projection, floor);
  };
}

/** The projection onto a budget and the limits of constraints. */
export function projectionOf(constraints: Constraints, budget: number): LimitedProjection {
  const { numNodes } = constraints.graph;
  return new LimitedProjection({ numNodes, budget, limitOf: (node) => constraints.limitOf(node) });
}

/**
 * Euclidean projection of the weights, in place, with `floor ≤ p ≤ 1 − floor`. It is computed on the host, from the weights above the
 * floor: `pairsOf` tells which pairs these are. Returns `[Σ clip(p, 0, 1) before, the same after]`.
 */
export async function projectOntoLimits(
  weights: Tensor,
  pairsOf: (places: Int32Array) => Flips | Promise<Flips>,
  projection: LimitedProjection,
  floor: number,
): Promise<Tensor> {
  const values = await weights.read();
  const places = placesAbove(values, Math.fround(floor));
  const chosen = Float64Array.from(places, (e) => values[e]);
  const found = projection.project(await pairsOf(places), chosen);
  const projected = new Float64Array(values.length).fill(floor);
  for (const [k, e] of places.entries()) projected[e] = Math.min(Math.max(found[k], floor), 1 - floor);
  weights.assign(projected);
  return tensor(weights.backend, [massOf(chosen), massOf(found)], [2]);
}

function massOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + Math.min(Math.max(value, 0), 1), 0);
}

function placesAbove(values: ArrayLike<number>, bound: number): Int32Array {
  const places: number[] = [];
  for (let e = 0; e < values.length; e++) if (values[e] > bound) places.push(e);
  return Int32Array.from(places);
}

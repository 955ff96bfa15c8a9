import type { Flips } from "../../graph/flips.ts";
import { type Block, empty, keep, type Tensor } from "../../tensor/index.ts";
import { pairsAt } from "../block.ts";
import { ascendOntoBudget, projectOntoBudget } from "../projection.ts";
import type { Constraints } from "./constraints.ts";
import { type Limits, projectWithinLimits } from "./limited-projection.ts";

/** What weights are projected onto, and the weight of a candidate that is not in use. */
export interface LimitedBudget extends Limits {
  readonly floor: number;
}

/** p ← p + rate·gradient, and back onto what is allowed; returns `[Σ clip(p, 0, 1) before, λ]` on the device. */
export type Ascend = (block: Block, gradient: Tensor, rate: number) => Tensor | Promise<Tensor>;

/** A step on the device, onto the budget; or, where nodes have limits of their own, partly on the host. */
export function ascenderFor({ budget, floor, constraints }: AscentBounds): Ascend {
  if (!constraints?.hasLimits) {
    return ({ weights }, gradient, rate) => ascendOntoBudget(weights, gradient, rate, budget, floor);
  }
  const limits = { budget, floor, limitOf: (node: number) => constraints.limitOf(node) };
  return ({ pairs, weights }, gradient, rate) => {
    const { backend } = weights;
    backend.affine({ out: weights.buffer, a: 1, A: weights.buffer, b: rate, B: gradient.buffer });
    return projectOntoLimits(weights, (places) => pairsAt(backend, pairs, places), limits);
  };
}

interface AscentBounds {
  readonly budget: number;
  readonly floor: number;
  readonly constraints: Constraints | undefined;
}

/**
 * Euclidean projection of the weights onto the budget and the limits of the nodes, in place; `floor ≤ p ≤ 1 − floor`. The search is
 * on the host and looks at the pairs that may end above the floor; `pairsOf` tells which these are. Returns what the projection
 * onto the budget alone would: `[Σ clip(p, 0, 1) before, λ]`.
 */
export async function projectOntoLimits(
  weights: Tensor,
  pairsOf: (places: Int32Array) => Flips | Promise<Flips>,
  { budget, limitOf, floor }: LimitedBudget,
): Promise<Tensor> {
  const { backend } = weights;
  const copy = empty(backend, weights.shape);
  backend.copy(copy.buffer, weights.buffer);
  const report = keep(projectOntoBudget(copy, budget, floor));
  copy.dispose();
  const values = await weights.read();
  const lambda = (await report.read())[1];
  const projected = new Float64Array(values.length).fill(floor);
  // With limits the multiplier of the budget is at most as large as without; how much smaller shows when less is left out.
  for (let least = lambda / 2; ; least = least < 1e-3 ? 0 : least / 4) {
    const places = placesAbove(values, Math.max(least, Math.fround(floor)));
    const chosen = Float64Array.from(places, (e) => values[e]);
    const found = projectWithinLimits(await pairsOf(places), chosen, { budget, limitOf }, least);
    if (found === null) continue;
    for (const [k, e] of places.entries()) projected[e] = Math.min(Math.max(found[k], floor), 1 - floor);
    weights.assign(projected);
    return report;
  }
}

function placesAbove(values: ArrayLike<number>, bound: number): Int32Array {
  const places: number[] = [];
  for (let e = 0; e < values.length; e++) if (values[e] > bound) places.push(e);
  return Int32Array.from(places);
}

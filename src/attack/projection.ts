import type { Ascent } from "../backend/backend.ts";
import { empty, type Tensor } from "../tensor/index.ts";

/** p ← p + rate·gradient, projected onto the budget (lines 7 and 8); returns the same as {@link projectOntoBudget}. */
export function ascendOntoBudget(
  weights: Tensor,
  gradient: Tensor,
  rate: number,
  budget: number,
  floor: number,
): Tensor {
  return projectOntoBudget(weights, budget, floor, { rate, gradient: gradient.buffer });
}

/**
 * Euclidean projection of the weights onto `Σ p ≤ budget`, `floor ≤ p ≤ 1 − floor`, in place (line 8). Exact up to
 * rounding, where the published code bisects to 1e-5. Returns `[Σ clip(p, 0, 1) before, λ]` on the device.
 */
export function projectOntoBudget(weights: Tensor, budget: number, floor: number, ascent?: Ascent): Tensor {
  const { backend } = weights;
  const report = empty(backend, [2]);
  backend.projectOntoBudget(report.buffer, weights.buffer, budget, floor, ascent);
  return report;
}

import { empty, type Tensor } from "../tensor/index.ts";

/** p ← p + rate·gradient, in place (line 7). */
export function ascend(weights: Tensor, gradient: Tensor, rate: number): void {
  const { backend } = weights;
  backend.affine(weights.buffer, 1, weights.buffer, rate, gradient.buffer, 0);
}

/**
 * Euclidean projection of the weights onto `Σ p ≤ budget`, `floor ≤ p ≤ 1 − floor`, in place (line 8). Exact up to
 * rounding, where the published code bisects to 1e-5. Returns `[Σ clip(p, 0, 1) before, λ]` on the device.
 */
export function projectOntoBudget(weights: Tensor, budget: number, floor: number): Tensor {
  const { backend } = weights;
  const report = empty(backend, [2]);
  backend.projectOntoBudget(report.buffer, weights.buffer, budget, floor);
  return report;
}

import { affine, IntTensor, pick, sub, sum, type Tensor } from "../../../tensor/index.ts";
import type { Goal, RowLoss } from "./goal-loss.ts";
import type { RelaxedNode } from "./relaxed-node.ts";

/**
 * The share of what a slope promises that a whole flip keeps, roughly: degrees grow with the flip, and the shares of
 * neighbours shrink with them.
 */
const KEPT = 0.5;

/**
 * How far the goal would be, as a difference of logits, with each candidate flipped as well, to first order. Takes
 * slopes for each of the `mostClasses` strongest other classes, because the class that a flip is best for is often not
 * the one that is strongest now.
 */
export async function estimateBySlopes(
  node: RelaxedNode,
  weights: Float64Array,
  { label, towards }: Goal,
  mostClasses: number,
): Promise<Float64Array> {
  const own = towards ?? label;
  const { logits } = await node.step(weights);
  const rivals = [...Array.from(logits).keys()].filter((c) => c !== own).sort((a, b) => logits[b] - logits[a]);
  const sign = towards === null ? 1 : -1; // away from the own class, or towards it
  let estimates: Float64Array | null = null;
  for (const rival of rivals.slice(0, mostClasses)) {
    const { gradient } = await node.step(weights, difference(rival, own, sign));
    const now = sign * (logits[own] - logits[rival]);
    const after = gradient.map((slope) => now - KEPT * slope);
    estimates = estimates ? closest(estimates, after, sign) : after;
  }
  return estimates ?? weights.map(() => Number.POSITIVE_INFINITY);
}

/** The estimate for two rivals: away from the own class any rival will do, towards it every rival has to be beaten. */
function closest(a: Float64Array, b: Float64Array, sign: number): Float64Array {
  return a.map((value, e) => (sign > 0 ? Math.min(value, b[e]) : Math.max(value, b[e])));
}

/** sign · (z_rival − z_own). */
function difference(rival: number, own: number, sign: number): RowLoss {
  const at = (logits: Tensor, c: number) => sum(pick(logits, IntTensor.from(logits.backend, [c])));
  return (logits) => affine(sub(at(logits, rival), at(logits, own)), sign);
}

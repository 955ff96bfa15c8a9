import type { Flips } from "../graph/flips.ts";
import { type Block, type GraphView, layOver } from "../tensor/index.ts";
import { blockOfFlips } from "./block.ts";
import type { Candidates } from "./constraints/candidates.ts";
import type { Constraints } from "./constraints/constraints.ts";
import { strongestPermitted } from "./constraints/strongest-permitted.ts";
import type { AttackLoss } from "./losses.ts";
import type { Evaluation, Victim } from "./victim.ts";

/** How many pairs a step chooses, which it may choose, and by which loss. */
export interface GradientChoice {
  /** Flips that are made already, in ascending order. */
  readonly soFar: Flips;
  readonly count: number;
  readonly constraints: Constraints | undefined;
  readonly loss: AttackLoss;
}

/**
 * The `count` pairs of a fresh block whose flip raises the loss most, to first order, among those that are not flipped
 * yet and that constraints permit.
 */
export async function strongestByGradient(
  victim: Victim,
  candidates: Candidates,
  { soFar, count, constraints, loss }: GradientChoice,
): Promise<Evaluation & { chosen: Flips }> {
  const { view } = victim;
  const flipped = blockOfFlips(view, soFar);
  const block = candidates.sample();
  negateFlippedSigns(view, block, flipped);
  try {
    const step = await victim.step(() => layOver(view, flipped, 0, block), loss, block.weights);
    const chosen = await strongestPermitted(block.pairs, step.gradient, count, constraints, soFar);
    step.gradient.dispose();
    return { chosen, loss: step.loss, score: step.score };
  } finally {
    for (const item of [flipped, block]) item.dispose();
  }
}

/**
 * Turns the signs of `block` on the clean graph into those on the current one: negates the sign of pairs in `flipped`.
 */
export function negateFlippedSigns({ backend }: GraphView, { pairs, signs }: Block, flipped: Block): void {
  const matrix = backend.activeMatrix(flipped.pairs, flipped.signs.buffer, flipped.weights.buffer, 0);
  backend.pairSigns(signs.buffer, pairs, matrix, true);
  for (const buffer of [matrix.rowPtr, matrix.colIdx, matrix.values!]) backend.free(buffer);
}

import { createReference } from "../../../backend/reference/reference.ts";
import { affine, IntTensor, type Tensor, tensor, valueAndGrad } from "../../../tensor/index.ts";
import type { AttackLoss } from "../../losses.ts";
import type { LocalTarget } from "../local-task.ts";
import { distanceToGoal, nodeOutcome } from "../node-outcome.ts";

/** Label and goal of a node, as far as a loss is concerned. */
export type Goal = Pick<LocalTarget, "label" | "towards">;

/** A loss of the logits of one node, [1, classes]. */
export type RowLoss = (logits: Tensor) => Tensor;

/**
 * What the attacker of one node maximises. Towards a class it is minus the loss of that class: a loss says how far a node is from
 * the class it is given.
 */
export function goalLoss(loss: AttackLoss, { label, towards }: Goal): RowLoss {
  return (logits) => {
    const classes = IntTensor.from(logits.backend, [towards ?? label]);
    return towards === null ? loss(logits, classes) : affine(loss(logits, classes), -1);
  };
}

/** Value and gradient of the loss for one row of logits, in float64 on the host. */
export async function lossOfRow(
  loss: RowLoss,
  logits: ArrayLike<number>,
): Promise<{ readonly value: number; readonly gradient: Float64Array }> {
  const Z = tensor(host, Float64Array.from(logits), [1, logits.length]);
  const { value, grads } = valueAndGrad(() => [loss(Z)], [Z]);
  const result = { value: await value.item(), gradient: Float64Array.from(await grads[0].read()) };
  for (const made of [Z, value, grads[0]]) made.dispose();
  return result;
}

/** How far the goal is, in probabilities: ψ where any other class will do. Positive while it is missed. */
export function probabilityDistance(logits: ArrayLike<number>, { label, towards }: Goal): number {
  return distanceToGoal(nodeOutcome(logits, label).probabilities, label, towards);
}

/** Plain arrays: a few classes are not worth a device. */
const host = createReference();

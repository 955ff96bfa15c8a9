import { check, lookup } from "../core/errors.ts";
import {
  add,
  affine,
  argmaxRows,
  elu,
  filled,
  type IntTensor,
  logSoftmax,
  margins,
  mean,
  mul,
  pick,
  reciprocal,
  relu,
  sum,
  type Tensor,
  tanh,
} from "../tensor/index.ts";

/**
 * What an attacker maximises: one number from the logits `[nodes, classes]` of the attacked nodes and their true classes.
 * The strongest wrong class is found from the logits and then held fixed.
 *
 * @example
 * // squared margin of the nodes that are still right
 * const loss: AttackLoss = (logits, labels) => affine(mean(square(relu(margins(logits, labels)))), -1);
 * const { accuracy } = await prbcd(model, view, { nodes: split.test, budget: 100, rng: new Rng(0) }, { loss });
 */
export type AttackLoss = (logits: Tensor, labels: IntTensor) => Tensor;

/** Cross-entropy: keeps pushing nodes that are lost already, so it wastes budget. */
export const ce: AttackLoss = (z, y) => mean(logLikelihood(z, y), -1);

/** −margin: every node pulls equally, however far from the boundary. */
export const margin: AttackLoss = (z, y) => mean(logitMargin(z, y), -1);

/** Carlini and Wagner: the margin of nodes that are still right. */
export const cw: AttackLoss = (z, y) => mean(relu(logitMargin(z, y)), -1);

/** Cross-entropy towards the strongest wrong class. */
export const nce: AttackLoss = (z, y) => mean(logLikelihood(z, argmaxRows(z, y)));

/** −elu of the margin: the further a node is lost, the less it pulls. */
export const eluMargin: AttackLoss = (z, y) => mean(elu(logitMargin(z, y)), -1);

/** Masked cross-entropy: that of the nodes that are still right; 0 once none is. */
export const mce: AttackLoss = (z, y) => {
  const correct = positive(logitMargin(z, y));
  return affine(meanWhere(correct, logLikelihood(z, y)), -1);
};

/** tanh of −margin: strongest near the decision boundary on both sides, bounded far from it. */
export const tanhMargin: AttackLoss = (z, y) => mean(tanh(logitMargin(z, y)), -1);

/** tanh of −margin for nodes that are still right, 0 for the others: what is left to win, most of it near the boundary. */
export const tanhCw: AttackLoss = (z, y) => mean(tanh(relu(logitMargin(z, y))), -1);

/**
 * 0.95 · tanh margin − 0.05 · mean margin of the nodes that are still right. As long as many nodes are near the
 * decision boundary, these count most, as with the tanh margin. The fewer nodes are still right, the more each of them
 * pulls, however far it is.
 */
export const farMargin: AttackLoss = (z, y) => {
  const mu = logitMargin(z, y);
  return add(affine(tanhMargin(z, y), 0.95), affine(meanWhere(positive(mu), mu), -0.05));
};

/** Carlini and Wagner with a tenth of the slope for nodes that are lost. */
export const leakyCw: AttackLoss = (z, y) => {
  const mu = logitMargin(z, y);
  return mean(add(affine(mu, 0.1), affine(relu(mu), 0.9)), -1);
};

/** `share` of one loss and the rest of another. */
export function blend(share: number, first: AttackLoss, second: AttackLoss): AttackLoss {
  return (z, y) => add(affine(first(z, y), share), affine(second(z, y), 1 - share));
}

const named: Readonly<Record<string, AttackLoss>> = {
  ce,
  margin,
  cw,
  nce,
  "elu-margin": eluMargin,
  mce,
  "tanh-margin": tanhMargin,
  "tanh-cw": tanhCw,
  "far-margin": farMargin,
  lcw: leakyCw,
};

const blends: Readonly<Record<string, AttackLoss>> = { "tanh-margin-cw": cw, "tanh-margin-mce": mce };

/** The names that {@link lossByName} knows, blends aside. */
export const lossNames: readonly string[] = Object.keys(named);

/**
 * The loss of this name. `tanh-margin-cw-0.3` is 0.3 of the tanh margin and 0.7 of `cw`; `tanh-margin-mce-0.3`
 * likewise.
 */
export function lossByName(name: string): AttackLoss {
  const mixture = /^(tanh-margin-(?:cw|mce))-([0-9.]+)$/.exec(name);
  if (!mixture) return lookup(named, name, "loss");
  const share = Number(mixture[2]);
  check(share >= 0 && share <= 1, () => `loss ${name}: the share must be in [0, 1], got ${mixture[2]}`);
  return blend(share, tanhMargin, blends[mixture[1]]);
}

/** μ: logit of the true class minus that of the strongest other. */
export function logitMargin(z: Tensor, y: IntTensor): Tensor {
  return margins(z, y);
}

function logLikelihood(z: Tensor, classes: IntTensor): Tensor {
  return pick(logSoftmax(z), classes);
}

/** The mean of the values that a mask of zeros and ones chooses; 0 if it chooses none. */
function meanWhere(mask: Tensor, values: Tensor): Tensor {
  return mul(sum(mul(values, mask)), reciprocal(sum(mask)));
}

/** 1 where x > 0, else 0; a constant. */
function positive(x: Tensor): Tensor {
  const out = filled(x.backend, x.shape, 1);
  x.backend.unaryGrad("relu", out.buffer, out.buffer, x.buffer, x.buffer);
  return out;
}

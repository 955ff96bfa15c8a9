import { check } from "../core/errors.ts";
import { affine, countCorrect, IntTensor, margins, mean, type Tensor, tanh } from "../tensor/index.ts";
import { type AttackLoss, margin } from "./losses.ts";

/** What an attacker wants to lower. */
export interface Objective {
  readonly name: string;
  /** The number that is lowered, from the logits [nodes, classes] of the attacked nodes: a tensor of one element. */
  readonly score: (logits: Tensor, labels: IntTensor) => Tensor;
  /** The loss that gradient attacks climb instead of their own; null to keep their own. */
  readonly loss: AttackLoss | null;
  /**
   * How the score adds up from the margins of the nodes, so that single flips can be tried cheaply; null if it does
   * not.
   */
  readonly perNode: PerNodeScore | null;
}

/** A score that is a sum or a mean over the attacked nodes. */
export interface PerNodeScore {
  /**
   * null: the margin is the logit of the node's own label minus the best other, and the attacker wants it below 0. A
   * class c: the margin is the best other logit minus that of c, and the attacker wants c to win.
   */
  readonly towards: number | null;
  /** count: the number of nodes with a positive margin; margin: the mean of the margins. */
  readonly measure: "count" | "margin";
}

/** The number of attacked nodes that are still right: the default. */
export const accuracyObjective: Objective = {
  name: "accuracy",
  score: countCorrect,
  loss: null,
  perNode: { towards: null, measure: "count" },
};

/** The mean margin of the attacked nodes, whether they are still right or not. */
export const marginObjective: Objective = {
  name: "margin",
  score: (logits, labels) => mean(margins(logits, labels)),
  loss: margin,
  perNode: { towards: null, measure: "margin" },
};

/**
 * Targeted misclassification: the attacker wants as many attacked nodes as possible to be classified as class `target`,
 * whatever their labels are. The score counts the nodes that are not.
 *
 * @example
 * const { score } = await prbcd(model, view, { nodes: split.test, budget: 100, rng: new Rng(0), objective: targetedAt(2) });
 * console.log(score.clean, score.adversarial); // nodes outside class 2, before and after
 */
export function targetedAt(target: number): Objective {
  check(Number.isInteger(target) && target >= 0, () => `targetedAt: a class is a number from 0, got ${target}`);
  return {
    name: `targeted:${target}`,
    score: (logits) => affine(countCorrect(logits, everywhere(target, logits)), -1, logits.shape[0]),
    loss: (logits) => mean(tanh(margins(logits, everywhere(target, logits)))),
    perNode: { towards: target, measure: "count" },
  };
}

/**
 * An objective of one's own: the attack raises `loss`, any function of the logits, and the score is its negative.
 *
 * @example
 * // as unsure as possible: the entropy of the predictions
 * const unsure = customObjective("entropy", (logits) => mean(mul(softmax(logits), logSoftmax(logits)), -1));
 */
export function customObjective(name: string, loss: AttackLoss): Objective {
  return { name, score: (logits, labels) => affine(loss(logits, labels), -1), loss, perNode: null };
}

/**
 * The objective of this name: `accuracy`, `margin`, or `targeted:<class>` with the name of a class in `classes`, or its
 * number.
 *
 * @example
 * const objective = objectiveByName("targeted:Databases", ["AI", "Databases", "Theory"]);
 */
export function objectiveByName(name: string, classes: readonly string[]): Objective {
  const target = /^targeted:(.*)$/.exec(name)?.[1];
  if (target === undefined) {
    const known = { accuracy: accuracyObjective, margin: marginObjective };
    const hint = `known are accuracy, margin and targeted:<class>, such as targeted:${classes[0]}`;
    check(Object.hasOwn(known, name), () => `unknown objective "${name}"; ${hint}`);
    return known[name as keyof typeof known];
  }
  const named = classes.indexOf(target);
  const index = named >= 0 ? named : /^\d+$/.test(target) && Number(target) < classes.length ? Number(target) : -1;
  check(index >= 0, () => `objective ${name}: there is no class "${target}"; classes are ${classes.join(", ")}`);
  return { ...targetedAt(index), name: `targeted:${classes[index]}` };
}

/** Class `target` for every row of the logits. */
function everywhere(target: number, { backend, shape }: Tensor): IntTensor {
  check(target < shape[1], () => `targeted:${target}: there is no class ${target} among ${shape[1]}`);
  return IntTensor.from(backend, new Int32Array(shape[0]).fill(target));
}

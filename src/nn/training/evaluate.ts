import { Constants, type GraphView, scope, type Tensor } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { accuracy, nodeSet } from "./node-set.ts";

/**
 * Logits of all nodes, without dropout. The caller disposes them.
 *
 * @example
 * const logits = predict(model, view); // [numNodes, numClasses]
 * const values = await logits.read();
 * logits.dispose();
 */
export function predict(model: Model, view: GraphView): Tensor {
  return scope(() => model.forward(view, { constants: new Constants(), dropout: null }));
}

/**
 * Share of `nodes` that `model` classifies correctly.
 *
 * @example
 * const share = await evaluate(model, view, split.test);
 * console.log(`${(100 * share).toFixed(1)}% of the test nodes are right`);
 */
export async function evaluate(model: Model, view: GraphView, nodes: ArrayLike<number>): Promise<number> {
  return (await evaluateSets(model, view, [nodes]))[0];
}

/** Share of the nodes that `model` classifies correctly in each of several sets, from one forward pass. */
export async function evaluateSets(
  model: Model,
  view: GraphView,
  sets: readonly ArrayLike<number>[],
): Promise<number[]> {
  const onDevice = sets.map((nodes) => nodeSet(view, nodes));
  try {
    const logits = predict(model, view);
    const shares: number[] = [];
    try {
      for (const set of onDevice) shares.push(await accuracy(logits, set));
    } finally {
      logits.dispose();
    }
    return shares;
  } finally {
    for (const set of onDevice) set.dispose();
  }
}

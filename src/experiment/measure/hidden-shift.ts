import { check } from "../../core/errors.ts";
import type { Model } from "../../nn/model.ts";
import { Gcn } from "../../nn/models/gcn.ts";
import { Constants, type GraphView, scope } from "../../tensor/index.ts";

/** Mean over all nodes of ‖h(Ã) − h(A)‖₂, where h is the output of the first layer as the second one gets it. */
export async function hiddenShift(model: Model, view: GraphView, perturbed: GraphView): Promise<number> {
  check(model instanceof Gcn, () => `${model.name} has no hidden layer to compare; choose gcn, gdc or a robust gdc`);
  const before = await hiddenOf(model, view);
  const after = await hiddenOf(model, perturbed);
  const { numNodes } = view;
  const width = before.length / numNodes;
  let sum = 0;
  for (let i = 0; i < numNodes; i++) {
    let squares = 0;
    for (let e = i * width; e < (i + 1) * width; e++) squares += (after[e] - before[e]) ** 2;
    sum += Math.sqrt(squares);
  }
  return sum / numNodes;
}

async function hiddenOf(model: Gcn, view: GraphView): Promise<ArrayLike<number>> {
  const H = scope(() => model.hidden(view, { constants: new Constants(), dropout: null }));
  return H.read().finally(() => H.dispose());
}

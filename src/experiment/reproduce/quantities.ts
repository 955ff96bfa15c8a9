import { check } from "../../core/errors.ts";
import type { Model } from "../../nn/model.ts";
import { Gcn } from "../../nn/models/gcn.ts";
import { evaluate } from "../../nn/training/evaluate.ts";
import { Constants, type GraphView, scope } from "../../tensor/index.ts";
import type { Session } from "../session.ts";

/** What can be measured of a model on the perturbed graph. */
export type Quantity = "accuracy" | "hidden-shift";

export const quantities: Readonly<
  Record<Quantity, (model: Model, session: Session, perturbed: GraphView, seed: number) => Promise<number>>
> = {
  accuracy: (model, session, perturbed, seed) => evaluate(model, perturbed, session.split(seed).test),
  "hidden-shift": hiddenShift,
};

/** Mean over all nodes of ‖h(Ã) − h(A)‖₂, h being what the first layer hands to the second. */
async function hiddenShift(model: Model, { view }: Session, perturbed: GraphView): Promise<number> {
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

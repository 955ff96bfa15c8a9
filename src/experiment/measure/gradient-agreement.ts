import { sampleBlock } from "../../attack/block.ts";
import { tanhMargin } from "../../attack/losses.ts";
import { Victim } from "../../attack/victim.ts";
import { attackRng } from "../../defense/build-model.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, relax } from "../../tensor/index.ts";
import { type Agreement, agreement } from "../agreement.ts";

/** Number of random pairs whose flips the loss is differentiated by. */
export const GRADIENT_PAIRS = 100_000;
/** Share of the largest gradients that is compared for overlap. */
export const TOP_SHARE = 0.01;
const FLOOR = 1e-7;

/** How far two models agree in their gradients with respect to flips of the same random pairs. */
export async function gradientAgreement(
  reference: Model,
  model: Model,
  view: GraphView,
  { nodes, seed }: { readonly nodes: ArrayLike<number>; readonly seed: number },
): Promise<Agreement> {
  const expected = await gradientOf(reference, view, nodes, seed);
  return agreement(expected, await gradientOf(model, view, nodes, seed), TOP_SHARE);
}

/** Gradient of the tanh margin with respect to the flips of a random block. */
async function gradientOf(
  model: Model,
  view: GraphView,
  nodes: ArrayLike<number>,
  seed: number,
): Promise<ArrayLike<number>> {
  const block = sampleBlock(view, GRADIENT_PAIRS, FLOOR, "stratified", attackRng(seed));
  const victim = new Victim(model, view, nodes);
  try {
    const { gradient } = await victim.step(() => relax(view, block, FLOOR), tanhMargin, block.weights);
    return await gradient.read().finally(() => gradient.dispose());
  } finally {
    victim.dispose();
    block.dispose();
  }
}

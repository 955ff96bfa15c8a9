import { sampleBlock } from "../../attack/block.ts";
import { tanhMargin } from "../../attack/losses.ts";
import { Victim } from "../../attack/victim.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, relax } from "../../tensor/index.ts";
import { type Agreement, agreement } from "../agreement.ts";
import { attackRng } from "../build-model.ts";

/** Random pairs by whose flips the loss is differentiated. */
export const GRADIENT_PAIRS = 100_000;
/** The largest gradients, of which both should name the same. */
export const TOP_SHARE = 0.01;
const FLOOR = 1e-7;

/** How far the gradients of two models by the flips of the same random pairs agree. */
export async function gradientAgreement(
  reference: Model,
  model: Model,
  view: GraphView,
  { nodes, seed }: { readonly nodes: ArrayLike<number>; readonly seed: number },
): Promise<Agreement> {
  const expected = await gradientOf(reference, view, nodes, seed);
  return agreement(expected, await gradientOf(model, view, nodes, seed), TOP_SHARE);
}

/** The gradient of the tanh margin by the flips of a random block. */
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

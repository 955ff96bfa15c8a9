import { buildModel, trainModel } from "../defense/build-model.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { type GraphView, withFlips } from "../tensor/index.ts";
import type { OpenedGraph } from "./session.ts";
import type { NamedChoice, RunWatch } from "./trained-model.ts";

/** Trains the chosen model anew on the graph with these flips, and calls `look` with both. */
export async function onPoisoned<T>(
  session: OpenedGraph,
  { model, seed, set = {} }: NamedChoice,
  flips: Flips,
  watch: RunWatch,
  look: (model: Model, perturbed: GraphView) => Promise<T>,
): Promise<T> {
  const victim = { model, seed, set };
  const perturbed = withFlips(session.view, flips);
  const built = buildModel(session, victim);
  try {
    await trainModel(built, victim, perturbed, session.split(seed), watch);
    return await look(built.model, perturbed);
  } finally {
    built.model.dispose();
    perturbed.dispose();
  }
}

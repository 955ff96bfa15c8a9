import { existsSync } from "node:fs";
import { Interrupted } from "../../core/errors.ts";
import { buildModel, trainModel } from "../../defense/build-model.ts";
import { loadWeights, saveWeights } from "../../files/weights-files.ts";
import type { NamedModel } from "../certify/named-model.ts";
import type { Session } from "../session.ts";
import type { TableWatch } from "./measure.ts";

/**
 * A model with the weights in this file. If there is no such file, trains the model and writes it. The caller disposes
 * the model.
 */
export async function withTrainedWeights(
  session: Session,
  choice: { readonly model: string; readonly seed: number },
  file: string,
  { tell, ...watch }: TableWatch,
): Promise<NamedModel> {
  const { model: kind, seed } = choice;
  const built = buildModel(session, choice);
  const { model } = built;
  try {
    if (existsSync(file)) {
      loadWeights(model, file);
      return { kind, model };
    }
    tell?.(`${session.dataset}: train ${kind}, seed ${seed}`);
    await trainModel(built, choice, session.view, session.split(seed), watch);
    if (watch.signal?.aborted) throw new Interrupted("interrupted; what was measured before is kept");
    const sizes = { features: session.graph.numFeatures, classes: session.graph.numClasses };
    await saveWeights(model, file, { sizes, kind, dataset: session.dataset, seed });
    return { kind, model };
  } catch (error) {
    model.dispose();
    throw error;
  }
}

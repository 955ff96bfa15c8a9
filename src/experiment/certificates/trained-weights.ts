import { existsSync } from "node:fs";
import { loadWeights, saveWeights } from "../../files/weights-files.ts";
import { buildModel, trainModel } from "../build-model.ts";
import type { NamedModel } from "../certify/named-model.ts";
import { stopIfAborted } from "../reproduce/stop-if-aborted.ts";
import type { Steps } from "../robustness.ts";
import type { Session } from "../session.ts";

/** A model with the weights in this file, which is made if it is not there. The caller disposes it. */
export async function withTrainedWeights(
  session: Session,
  choice: { readonly model: string; readonly seed: number },
  file: string,
  { steps, signal }: { readonly steps: Steps; readonly signal?: AbortSignal },
): Promise<NamedModel> {
  const { model: kind, seed } = choice;
  const built = buildModel(session, choice);
  const { model } = built;
  try {
    if (existsSync(file)) {
      loadWeights(model, file);
      return { kind, model };
    }
    const progress = steps.begin(`${session.dataset} seed ${seed}: train ${kind}`);
    const watch = { progress, ...(signal && { signal }) };
    const history = await trainModel(built, choice, session.view, session.split(seed), watch);
    stopIfAborted(signal);
    steps.end(`${history.trainLoss.length} epochs`);
    const sizes = { features: session.graph.numFeatures, classes: session.graph.numClasses };
    await saveWeights(model, file, { sizes, kind, dataset: session.dataset, seed });
    return { kind, model };
  } catch (error) {
    model.dispose();
    throw error;
  }
}

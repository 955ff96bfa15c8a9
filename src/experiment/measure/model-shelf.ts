import type { Model } from "../../nn/model.ts";
import type { Watch } from "../../nn/training/train.ts";
import { type BuiltModel, buildModel, trainModel } from "../build-model.ts";
import { copyWeights } from "../copy-weights.ts";
import { trainingCurve } from "../details/epoch-curve.ts";
import type { Session } from "../session.ts";
import { canonicalJson } from "../study/canonical-json.ts";
import { type ModelDescription, modelId, type RunDescription } from "../study/run-description.ts";
import { type MeasureOptions, type OpenedRun, openOn } from "./opened-run.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

/** In memory at once: more than a transfer table has. */
const MOST_MODELS = 32;

/** Trained models of one graph and seed: those in memory, those on disk, and new ones. */
export class ModelShelf {
  private readonly opened: OpenedRun;
  private readonly options: MeasureOptions;
  private readonly models = new Map<string, Model>();
  /** Where models learn that do not learn on the device of the session. */
  private elsewhere: Session | null = null;

  constructor(opened: OpenedRun, options: MeasureOptions) {
    this.opened = opened;
    this.options = options;
  }

  /** A model as a run uses it, trained. */
  async get(run: RunDescription, description: ModelDescription, watch: Watch): Promise<Model> {
    const { name, hyperparameters } = description;
    const id = modelId(run, description);
    const key = `${id} ${canonicalJson(hyperparameters)}`;
    const known = this.models.get(key);
    if (known) return known;
    const built = buildModel(this.opened.session, { model: name, seed: run.seed, set: hyperparameters });
    try {
      if (!this.options.artefacts.loadWeights(id, built.model)) await this.train(run, description, built, watch);
    } catch (error) {
      built.model.dispose();
      throw error;
    }
    this.keep(key, built.model);
    return built.model;
  }

  async close(): Promise<void> {
    for (const model of this.models.values()) model.dispose();
    this.models.clear();
    await this.elsewhere?.close();
  }

  /** Gives a model its weights, which are learned by itself or by one like it, and keeps them on disk. */
  private async train(
    run: RunDescription,
    description: ModelDescription,
    built: BuiltModel,
    watch: Watch,
  ): Promise<void> {
    const { cell, seed, splitHash } = run;
    const { name, hyperparameters, trainedWith } = description;
    const session = await this.sessionOn(run, cell.trainedOn ?? cell.device);
    const isItself = session === this.opened.session && trainedWith === undefined;
    const choice = { model: name, seed, set: trainedWith ?? hyperparameters };
    const learner = isItself ? built : buildModel(session, choice);
    try {
      const begin = performance.now();
      const history = await trainModel(learner, choice, session.view, this.opened.split, watch);
      stopIfAborted(watch); // a model that is half trained is no model
      const { numFeatures: features, numClasses: classes } = session.graph;
      const facts = { kind: name, sizes: { features, classes }, dataset: session.dataset, seed, splitHash };
      const curve = trainingCurve(history, (performance.now() - begin) / 1000);
      await this.options.artefacts.saveWeights(modelId(run, description), learner.model, facts, curve);
      if (!isItself) await copyWeights(learner.model, built.model);
    } finally {
      if (!isItself) learner.model.dispose();
    }
  }

  private async sessionOn(run: RunDescription, device: string): Promise<Session> {
    if (device === run.cell.device) return this.opened.session;
    this.elsewhere ??= await openOn(run, device, this.options);
    return this.elsewhere;
  }

  /** Keeps a model in memory, and lets the oldest go where there are many: it is on disk. */
  private keep(key: string, model: Model): void {
    this.models.set(key, model);
    if (this.models.size <= MOST_MODELS) return;
    const [oldest, least] = this.models.entries().next().value!;
    this.models.delete(oldest);
    least.dispose();
  }
}

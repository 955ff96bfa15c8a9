import { type BuiltModel, buildModel, trainModel } from "../../defense/build-model.ts";
import type { Model } from "../../nn/model.ts";
import type { Watch } from "../../nn/training/train.ts";
import { copyWeights } from "../copy-weights.ts";
import { trainingCurve } from "../details/epoch-curve.ts";
import type { Session } from "../session.ts";
import { canonicalJson } from "../study/canonical-json.ts";
import { type ModelDescription, modelId, type RunDescription } from "../study/run-description.ts";
import { type MeasureOptions, type OpenedRun, openOn } from "./opened-run.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

/** Models kept in memory at once: more than a transfer table needs. */
const MOST_MODELS = 32;

/** Trained models of one graph and seed: those in memory, those on disk, and new ones. */
export class ModelShelf {
  private readonly opened: OpenedRun;
  private readonly options: MeasureOptions;
  private readonly models = new Map<string, Model>();
  /** Session for models that are trained on another device than the one where they are measured. */
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

  /**
   * Trains a model and saves its weights. If it is trained on another device or with other hyperparameters, a second
   * model learns and its weights are copied.
   */
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
      stopIfAborted(watch); // a half-trained model must not be kept
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

  /** Keeps a model in memory. If there are too many, disposes the oldest, which is on disk. */
  private keep(key: string, model: Model): void {
    this.models.set(key, model);
    if (this.models.size <= MOST_MODELS) return;
    const [oldest, least] = this.models.entries().next().value!;
    this.models.delete(oldest);
    least.dispose();
  }
}

import { buildModel, trainModel } from "../../defense/build-model.ts";
import type { Model } from "../../nn/model.ts";
import type { Hyperparameters } from "../../nn/models/model-kind.ts";
import { evaluate } from "../../nn/training/evaluate.ts";
import { copyWeights } from "../copy-weights.ts";
import { openSession, type Session } from "../session.ts";
import { victimKey } from "./measurement.ts";
import type { RunOptions } from "./run-measurements.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

/** Models of one dataset and seed, each trained when it is first asked for. */
export class TrainedModels {
  private readonly session: Session;
  private readonly seed: number;
  private readonly options: RunOptions;
  private readonly models = new Map<string, Model>();
  private readonly clean = new Map<string, number>();
  /** Where models are trained that do not learn on the device of the session. */
  private onCpu: Session | null = null;

  constructor(session: Session, seed: number, options: RunOptions) {
    this.session = session;
    this.seed = seed;
    this.options = options;
  }

  async get(name: string, set: Hyperparameters = {}): Promise<Model> {
    const key = victimKey(name, set);
    const known = this.models.get(key);
    if (known) return known;
    const learnsElsewhere = this.options.trainOnCpu === true && this.session.device !== "cpu";
    const model = learnsElsewhere ? await this.trainOnCpu(name, set) : await this.train(this.session, name, set);
    this.models.set(key, model);
    return model;
  }

  /** Accuracy of a model on the test nodes of the clean graph. */
  async cleanAccuracy(name: string, set: Hyperparameters = {}): Promise<number> {
    const key = victimKey(name, set);
    const { session, seed } = this;
    const accuracy =
      this.clean.get(key) ?? (await evaluate(await this.get(name, set), session.view, session.split(seed).test));
    this.clean.set(key, accuracy);
    return accuracy;
  }

  async dispose(): Promise<void> {
    for (const model of this.models.values()) model.dispose();
    await this.onCpu?.close();
  }

  private async train(session: Session, name: string, set: Hyperparameters): Promise<Model> {
    const { seed } = this;
    const { signal, steps } = this.options;
    const details = Object.entries(set).map(([option, value]) => `, ${option} ${value}`);
    const progress = steps.begin(`${session.dataset} seed ${seed}: train ${name}${details.join("")}`);
    const choice = { model: name, seed, set };
    const built = buildModel(session, choice);
    try {
      const watch = { progress, ...(signal && { signal }) };
      const history = await trainModel(built, choice, session.view, session.split(seed), watch);
      stopIfAborted(signal);
      steps.end(`${history.trainLoss.length} epochs`);
      return built.model;
    } catch (error) {
      built.model.dispose();
      throw error;
    }
  }

  /** A model on the device of the session with the weights that the CPU finds. */
  private async trainOnCpu(name: string, set: Hyperparameters): Promise<Model> {
    const { threads: _, ...where } = this.options.where;
    this.onCpu ??= await openSession({ ...where, dataset: this.session.dataset, device: "cpu" });
    const learned = await this.train(this.onCpu, name, set);
    const { model } = buildModel(this.session, { model: name, seed: this.seed, set });
    await copyWeights(learned, model).finally(() => learned.dispose());
    return model;
  }
}

import type { Rng } from "../../core/rng.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Model } from "../model.ts";
import { stateOf } from "../weights/weights.ts";
import type { Adam } from "./adam.ts";
import type { Snapshot } from "./snapshot.ts";
import { assignCopies, type Checkpoints, copiesOf } from "./training-state.ts";

/** The losses of one epoch. */
export interface Losses {
  readonly trainLoss: number;
  readonly valLoss: number;
}

/** What changes while a model is trained. */
export interface Trained {
  readonly model: Model;
  readonly adam: Adam;
  readonly best: Snapshot;
}

/** Restores a run from its last checkpoint, and saves the next ones. */
export class Resumption {
  private readonly checkpoints: Checkpoints;
  private readonly rng: Rng;
  private readonly trained: Trained;

  constructor(checkpoints: Checkpoints, rng: Rng, trained: Trained) {
    this.checkpoints = checkpoints;
    this.rng = rng;
    this.trained = trained;
  }

  /** Restores the saved state, if there is one; returns the losses of the epochs that are done. */
  resume(): Losses[] {
    const saved = this.checkpoints.load();
    if (!saved) return [];
    assignCopies(this.tensors(), saved.tensors, this.checkpoints.where);
    this.trained.adam.step = saved.steps;
    this.rng.restore(saved.rng);
    return Array.from(saved.trainLoss, (trainLoss, t) => ({ trainLoss, valLoss: saved.valLoss[t] }));
  }

  /** Saves the state after an epoch if it is time; `last` are its losses, which the history does not have yet. */
  async save(
    history: { trainLoss: readonly number[]; valLoss: readonly number[] },
    last: Promise<Losses>,
  ): Promise<void> {
    if (!this.checkpoints.isDue()) return;
    const { trainLoss, valLoss } = await last;
    await this.checkpoints.save({
      steps: this.trained.adam.step,
      rng: this.rng.state(),
      trainLoss: [...history.trainLoss, trainLoss],
      valLoss: [...history.valLoss, valLoss],
      tensors: await copiesOf(this.tensors()),
    });
  }

  private tensors(): Map<string, Tensor> {
    const { model, adam, best } = this.trained;
    const live = [...stateOf(model)].map(([name, tensor]) => [`model.${name}`, tensor] as const);
    return new Map([...live, ...adam.tensors(), ...best.tensors()]);
  }
}

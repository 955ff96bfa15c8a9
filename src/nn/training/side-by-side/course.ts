import { check } from "../../../core/errors.ts";
import { EarlyStopping } from "../early-stopping.ts";
import type { EpochConfig, History } from "../train.ts";

/** The training of one of several models, as seen by the host: its losses per epoch, and whether it is over. */
export class Course {
  isOver = false;
  private readonly trainLoss: number[] = [];
  private readonly valLoss: number[] = [];
  private readonly stopping: EarlyStopping;
  private readonly model: number;
  private readonly config: EpochConfig;

  constructor(model: number, config: EpochConfig) {
    this.model = model;
    this.config = config;
    this.stopping = new EarlyStopping(config.patience);
  }

  /** Adds the losses of the next epoch. Ignored once the training is over: the model then only runs along. */
  see(trainLoss: number, valLoss: number): void {
    if (this.isOver) return;
    const t = this.trainLoss.length;
    const { learningRate } = this.config;
    check(
      Number.isFinite(trainLoss),
      () =>
        `training side by side: loss of model ${this.model} is ${trainLoss} in epoch ${t}; lower the learning rate, as with --set learningRate=${learningRate / 10}`,
    );
    this.trainLoss.push(trainLoss);
    this.valLoss.push(valLoss);
    this.isOver = !this.stopping.isBest(t, valLoss) && this.stopping.isOver(t);
  }

  history(isAborted: boolean): History {
    const { trainLoss, valLoss, isOver } = this;
    return { trainLoss, valLoss, bestEpoch: this.stopping.bestEpoch, interrupted: isAborted && !isOver };
  }
}

import { breathe } from "../../../core/breathe.ts";
import { Lagged } from "../../../core/lagged.ts";
import { checkOptions } from "../../../core/options/index.ts";
import { silent } from "../../../core/progress.ts";
import type { GraphView, Values } from "../../../tensor/index.ts";
import type { Gcn } from "../../models/gcn.ts";
import { type History, type TrainConfig, type TrainTask, trainOptions, type Watch } from "../train.ts";
import { checkStackable } from "./check-stackable.ts";
import { Course } from "./course.ts";
import { StackedTraining } from "./stacked-training.ts";

/**
 * Trains several GCNs at once, in place: each on its own training and validation nodes, with its own initial weights
 * and random numbers. Every model ends with the weights, losses and best epoch that `train` would have given it alone,
 * up to rounding; with sparse features its weights are the same bit by bit in every epoch.
 *
 * The models must have the same hyperparameters. Their columns stand side by side in every matrix, so that an epoch of all of them
 * takes as many kernels as an epoch of one: on a GPU, where launching kernels is most of the time on small graphs, many models train in
 * little more than the time of one. Each stops by its own validation loss.
 *
 * @example
 * const sizes = { features: graph.numFeatures, classes: graph.numClasses };
 * const models = [0, 1, 2].map((seed) => new Gcn(backend, sizes, gcnDefaults, new Rng(seed)));
 * const tasks = models.map((_, seed) => ({ train: split.train, val: split.val, rng: new Rng(seed, 1) }));
 * const histories = await trainSideBySide(models, view, tasks, trainDefaults);
 */
export async function trainSideBySide(
  models: readonly Gcn[],
  view: GraphView,
  tasks: readonly TrainTask[],
  config: TrainConfig,
  watch: Watch = {},
): Promise<History[]> {
  checkOptions("training", trainOptions, config);
  checkStackable(models, view, tasks, config);
  const courses = models.map((_, g) => new Course(g, config));
  const run = new SideBySideRun(await StackedTraining.of({ view, config }, models, tasks), courses, watch);
  try {
    return await run.toTheEnd(config.maxEpochs);
  } finally {
    run.dispose();
  }
}

/** The losses of one epoch, and the courses that they belong to. */
interface Seen {
  readonly losses: Values;
  readonly courses: readonly Course[];
}

/** Runs epochs until the training of every model is over. Losses are read while the next epoch runs, as in `train`. */
class SideBySideRun {
  private training: StackedTraining;
  /** Those of the models in `training`: fewer after each {@link narrow}. */
  private courses: readonly Course[];
  private readonly all: readonly Course[];
  private readonly watch: Watch;

  constructor(training: StackedTraining, courses: readonly Course[], watch: Watch) {
    this.training = training;
    this.courses = courses;
    this.all = courses;
    this.watch = watch;
  }

  async toTheEnd(maxEpochs: number): Promise<History[]> {
    const { progress = silent, signal } = this.watch;
    const read = new Lagged<Seen>();
    let ended = false;
    for (let t = 0; t < maxEpochs && !ended && !signal?.aborted; t++) {
      const losses = this.training.epoch();
      try {
        const seen = await read.next(this.read(losses.read()));
        if (seen) this.see(seen);
        if (seen) progress.update(t - 1, maxEpochs, `${this.numLearning()} of ${this.all.length} models still learn`);
        ended = this.numLearning() === 0 || (signal?.aborted ?? false);
        if (!ended) this.training.offer(losses); // before the next epoch changes the weights
      } finally {
        losses.dispose();
      }
      if (!ended && 2 * this.numLearning() <= this.courses.length) await this.narrow();
      if (t % 10 === 0) await breathe(); // lets Ctrl-C and timers through
    }
    const last = await read.last();
    if (!ended && last) this.see(last);
    await this.training.finish();
    progress.update(maxEpochs, maxEpochs, "");
    return this.all.map((course) => course.history(signal?.aborted ?? false));
  }

  dispose(): void {
    this.training.dispose();
  }

  private async read(losses: Promise<Values>): Promise<Seen> {
    const { courses } = this;
    return { losses: await losses, courses };
  }

  private see({ losses, courses }: Seen): void {
    const before = this.numLearning();
    for (const [g, course] of courses.entries()) course.see(losses[courses.length + g], losses[g]);
    if (this.numLearning() < before) this.training.keepLearning(this.courses.map(({ isOver }) => !isOver));
  }

  private numLearning(): number {
    return this.courses.filter(({ isOver }) => !isOver).length;
  }

  /** Once at least half of the models are over: continues with the others, in matrices at most half as wide. */
  private async narrow(): Promise<void> {
    const { training, courses } = this;
    const learning = [...courses.keys()].filter((g) => !courses[g].isOver);
    await training.finish((g) => courses[g].isOver);
    this.training = training.only(learning);
    this.courses = learning.map((g) => courses[g]);
    training.dispose();
  }
}

import type { SideBySide } from "../../../backend/backend.ts";
import { sideBySide } from "../../../backend/compose/side-by-side.ts";
import type { Tensor } from "../../../tensor/index.ts";
import { constant } from "../../layers/init.ts";
import { selectModels } from "./select-models.ts";
import type { StackedGcn, StackedParameter } from "./stacked-gcn.ts";

/** The largest 32-bit float: any score is lower. */
const WORST = 3.4028234663852886e38;

/** The weights of each model's best epoch so far. Scores are compared on the device and not read back. */
export class BestWeights {
  /** One for each parameter of the stack. */
  readonly saved: readonly Tensor[];
  private readonly live: readonly StackedParameter[];
  private readonly models: number;
  private readonly kernels: SideBySide;
  private readonly lowest: Tensor;
  private readonly chosen: Tensor;
  private readonly learning: Tensor;

  /** Begins with the weights that the models have now. */
  constructor({ parameters, models }: StackedGcn) {
    const { backend } = parameters[0].tensor;
    this.live = parameters;
    this.models = models;
    this.kernels = sideBySide(backend);
    this.saved = parameters.map(({ tensor }) => constant(backend, tensor.shape, 0));
    for (const [i, { tensor }] of parameters.entries()) backend.copy(this.saved[i].buffer, tensor.buffer);
    this.lowest = constant(backend, [models], WORST);
    this.chosen = constant(backend, [models], 0);
    this.learning = constant(backend, [models], 1);
  }

  /** Saves the weights of each model g that is still learning and whose score, `scores[g]`, is its lowest so far. */
  offer(scores: Tensor): void {
    const { models, live, saved } = this;
    const chosen = this.chosen.buffer;
    this.kernels.improveEach({
      chosen,
      best: this.lowest.buffer,
      score: scores.buffer,
      learning: this.learning.buffer,
      models,
    });
    const copies = live.map(({ tensor, width }, i) => ({ to: saved[i].buffer, from: tensor.buffer, width }));
    this.kernels.copyEachIf(copies, chosen, models);
  }

  /** The best weights of some of the models, in this order, whose training continues in `stack`. */
  only(chosen: readonly number[], stack: StackedGcn): BestWeights {
    const { models } = this;
    const some = new BestWeights(stack);
    for (const [i, { width }] of this.live.entries()) {
      selectModels(some.saved[i], this.saved[i], { models, width }, chosen);
    }
    selectModels(some.lowest, this.lowest, { models, width: 1 }, chosen);
    selectModels(some.learning, this.learning, { models, width: 1 }, chosen);
    return some;
  }

  /** From now on, {@link offer} saves only the weights of models that are learning. */
  onlyFor(isLearning: readonly boolean[]): void {
    this.learning.assign(Float32Array.from(isLearning, Number));
  }

  dispose(): void {
    for (const tensor of [...this.saved, this.lowest, this.chosen, this.learning]) tensor.dispose();
  }
}

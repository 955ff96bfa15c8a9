import { Constants, type GraphView, scope, type Tensor, valueAndGrad } from "../../../tensor/index.ts";
import type { Gcn } from "../../models/gcn.ts";
import { Adam } from "../adam.ts";
import type { EpochConfig, TrainTask } from "../train.ts";
import { BestWeights } from "./best-weights.ts";
import { DropoutKeys } from "./dropout-keys.ts";
import { selectModels } from "./select-models.ts";
import { StackedGcn } from "./stacked-gcn.ts";
import { StackedLosses } from "./stacked-losses.ts";

/** Where and how models are trained. */
export interface TrainingPlan {
  readonly view: GraphView;
  readonly config: EpochConfig;
}

/** What changes while models are trained. */
interface State {
  readonly stack: StackedGcn;
  readonly adam: Adam;
  readonly best: BestWeights;
  readonly keys: DropoutKeys;
}

/** The models that are trained together, on the device. */
export class StackedTraining {
  readonly models: readonly Gcn[];
  private readonly plan: TrainingPlan;
  private readonly tasks: readonly TrainTask[];
  private readonly state: State;
  private readonly losses: StackedLosses;
  private readonly constants: Constants;
  private readonly parameters: readonly Tensor[];

  static async of(plan: TrainingPlan, models: readonly Gcn[], tasks: readonly TrainTask[]): Promise<StackedTraining> {
    const losses = lossesOf(plan, models, tasks); // first, because it refuses nodes without a label
    const stack = await StackedGcn.of(models);
    const rngs = tasks.map(({ rng }) => rng);
    const state = {
      stack,
      adam: new Adam(tensorsOf(stack), plan.config),
      best: new BestWeights(stack),
      keys: new DropoutKeys(plan.view.backend, rngs, stack.numHiddenLayers),
    };
    return new StackedTraining(plan, { models, tasks, losses }, state);
  }

  private constructor(
    plan: TrainingPlan,
    { models, tasks, losses }: { models: readonly Gcn[]; tasks: readonly TrainTask[]; losses: StackedLosses },
    state: State,
  ) {
    this.plan = plan;
    this.models = models;
    this.tasks = tasks;
    this.losses = losses;
    this.state = state;
    this.parameters = tensorsOf(state.stack);
    this.constants = new Constants({ graph: plan.view, changing: this.parameters });
  }

  /** Runs one step of every model. Returns all validation losses, then all training losses, which are not read back. */
  epoch(): Tensor {
    const { view } = this.plan;
    const { stack, adam, keys } = this.state;
    const losses = (): readonly [Tensor, Tensor] => {
      const { total, each } = this.losses.of(stack.forward(view, this.constants, keys));
      return [total, each];
    };
    return scope(() => {
      const step = this.constants.during(() => valueAndGrad(losses, this.parameters));
      adam.update(step.grads);
      return step.aux[0];
    });
  }

  /** Keeps the weights of each model whose validation loss in the last epoch is its best so far. */
  offer(losses: Tensor): void {
    this.state.best.offer(losses);
  }

  /** From now on, {@link offer} changes the best weights only of models that are learning. */
  keepLearning(isLearning: readonly boolean[]): void {
    this.state.best.onlyFor(isLearning);
  }

  /** A training that continues with some of the models from their current state. The caller disposes both trainings. */
  only(chosen: readonly number[]): StackedTraining {
    const { stack, adam, best, keys } = this.state;
    const { plan } = this;
    const models = chosen.map((g) => this.models[g]);
    const tasks = chosen.map((g) => this.tasks[g]);
    const some = stack.only(chosen);
    const state = {
      stack: some,
      adam: someOfAdam({ adam, stack }, chosen, new Adam(tensorsOf(some), plan.config)),
      best: best.only(chosen, some),
      keys: keys.only(chosen),
    };
    return new StackedTraining(plan, { models, tasks, losses: lossesOf(plan, models, tasks) }, state);
  }

  /** Gives the finished models the weights of their best epoch. */
  async finish(isFinished: (g: number) => boolean = () => true): Promise<void> {
    const { stack, best } = this.state;
    await stack.handOut(
      best.saved,
      this.models.map((model, g) => (isFinished(g) ? model : null)),
    );
  }

  dispose(): void {
    const { stack, adam, best, keys } = this.state;
    for (const item of [stack, adam, best, keys, this.losses, this.constants]) item.dispose();
  }
}

function lossesOf({ view }: TrainingPlan, [model]: readonly Gcn[], tasks: readonly TrainTask[]): StackedLosses {
  const last = (model.config["hidden"] as readonly number[]).length;
  return new StackedLosses(view, tasks, model.parameters.get(`convs.${last}.weight`)!.shape[1]);
}

function tensorsOf({ parameters }: StackedGcn): Tensor[] {
  return parameters.map(({ tensor }) => tensor);
}

/** Fills the moments of `some` with those of the chosen models. */
function someOfAdam(
  { adam, stack: { models, parameters } }: Pick<State, "adam" | "stack">,
  chosen: readonly number[],
  some: Adam,
): Adam {
  const from = adam.tensors();
  const to = some.tensors();
  for (const [i, { width }] of parameters.entries()) {
    for (const moment of [`adam.${i}.m`, `adam.${i}.v`]) {
      selectModels(to.get(moment)!, from.get(moment)!, { models, width }, chosen);
    }
  }
  some.step = adam.step;
  return some;
}

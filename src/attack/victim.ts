import { breathe } from "../core/breathe.ts";
import { check } from "../core/errors.ts";
import { type Flips, noFlips } from "../graph/flips.ts";
import type { Model, Pass } from "../nn/model.ts";
import { evaluate } from "../nn/training/evaluate.ts";
import { type NodeSet, nodeSet } from "../nn/training/node-set.ts";
import {
  type Block,
  Constants,
  countCorrect,
  EdgeFactors,
  filled,
  type GraphView,
  gatherRows,
  layOverAll,
  scope,
  type Tensor,
  valueAndGrad,
  withFlips,
} from "../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "./attack.ts";
import { checkBudget } from "./budget.ts";
import type { AttackLoss } from "./losses.ts";

/** A model under attack: fixed weights, in evaluation mode, and the nodes whose classification counts. */
export class Victim {
  readonly model: Model;
  readonly view: GraphView;
  readonly attacked: NodeSet;
  private readonly constants = new Constants(); // weights do not change
  private readonly pass: Pass = { constants: this.constants, dropout: null };

  constructor(model: Model, view: GraphView, nodes: ArrayLike<number>) {
    this.model = model;
    this.view = view;
    this.attacked = nodeSet(view, Int32Array.from(nodes).sort()); // their rows lie closer together
  }

  /** Loss and correct nodes on a relaxed graph, and the gradient of the loss by `weights`, which stays on the device. */
  async step(relaxed: () => GraphView, loss: AttackLoss, weights: Tensor): Promise<Look & { gradient: Tensor }> {
    const { gradient, ...look } = this.launchStep(relaxed, loss, weights);
    return { ...(await read(look.loss, look.correct)), gradient };
  }

  /** The same with everything still on the device; the caller disposes it. */
  launchStep(relaxed: () => GraphView, loss: AttackLoss, weights: Tensor): DeviceLook & { gradient: Tensor } {
    const { value, aux, grads } = this.constants.during(() =>
      valueAndGrad(() => this.outcome(relaxed(), loss), [weights]),
    );
    return { loss: value, correct: aux[0], gradient: grads[0] };
  }

  /** The same at the graph with `flips` laid over it, with the gradient by all pairs as factors; the caller disposes them. */
  async stepOnAll(flips: Block, loss: AttackLoss): Promise<Look & { factors: EdgeFactors }> {
    const anchor = filled(this.view.backend, [1], 0);
    const factors = new EdgeFactors();
    try {
      const { value, aux } = this.constants.during(() =>
        valueAndGrad(() => this.outcome(layOverAll(this.view, flips, anchor, factors), loss), [anchor]),
      );
      return { ...(await read(value, aux[0])), factors };
    } catch (error) {
      factors.dispose();
      throw error;
    } finally {
      anchor.dispose();
    }
  }

  /** Loss and correct nodes on a relaxed graph. */
  async look(relaxed: () => GraphView, loss: AttackLoss): Promise<Look> {
    const seen = this.launchLook(relaxed, loss);
    return read(seen.loss, seen.correct);
  }

  /** The same, still on the device; the caller disposes it. */
  launchLook(relaxed: () => GraphView, loss: AttackLoss): DeviceLook {
    const [value, correct] = this.constants.during(() => scope(() => this.outcome(relaxed(), loss)));
    return { loss: value, correct };
  }

  /** Logits of all nodes; products that the fixed weights determine are computed once. */
  forward(view: GraphView): Tensor {
    return this.constants.during(() => scope(() => this.model.forward(view, this.pass)));
  }

  private outcome(view: GraphView, loss: AttackLoss): readonly [Tensor, Tensor] {
    const { nodes, labels } = this.attacked;
    const logits = gatherRows(this.model.forward(view, this.pass), nodes);
    return [loss(logits, labels), countCorrect(logits, labels)];
  }

  dispose(): void {
    this.constants.dispose();
    this.attacked.dispose();
  }
}

/** Throws unless gradients reach the edges through `model`. */
export function checkDifferentiable(name: string, model: Model): void {
  check(
    model.differentiable.edges,
    () => `${name}: ${model.name} cannot be differentiated by edges; attack a surrogate such as gcn and transfer`,
  );
}

/** What one forward pass shows. */
export interface Look {
  readonly loss: number;
  /** Attacked nodes that are still right. */
  readonly correct: number;
}

/** The same before anybody has waited for it: tensors of one element. */
export interface DeviceLook {
  readonly loss: Tensor;
  readonly correct: Tensor;
}

async function read(loss: Tensor, correct: Tensor): Promise<Look> {
  const result = { loss: await loss.item(), correct: await correct.item() };
  loss.dispose();
  correct.dispose();
  await breathe(); // lets Ctrl-C and timers through
  return result;
}

/**
 * The frame of every attack: checks the task, runs `search`, and evaluates its flips on the discrete graph afresh
 * (rule B3). With a budget of 0, or if it was ended before it began, the clean graph comes back without a search.
 */
export async function attackWith(
  name: string,
  model: Model,
  view: GraphView,
  task: AttackTask,
  search: (victim: Victim) => Promise<{ flips: Flips; trace: readonly TraceEntry[] }>,
): Promise<AttackResult> {
  check(task.nodes.length > 0, () => `${name}: there are no nodes to attack`);
  checkBudget(view, task.budget);
  const { memory } = view.backend;
  memory.resetPeak();
  const clean = await evaluate(model, view, task.nodes);
  const begin = performance.now();
  const { flips, trace } =
    task.budget === 0 || task.signal?.aborted
      ? { flips: noFlips, trace: [] }
      : await searchOn(model, view, task, search);
  const seconds = (performance.now() - begin) / 1000;
  return {
    flips,
    accuracy: { clean, adversarial: await accuracyAfter(model, view, flips, task.nodes) },
    trace,
    cost: {
      epochs: trace.length,
      seconds,
      secondsPerEpoch: trace.length > 0 ? seconds / trace.length : 0,
      peakBytes: memory.peak,
    },
    interrupted: task.signal?.aborted ?? false,
  };
}

async function searchOn<T>(
  model: Model,
  view: GraphView,
  task: AttackTask,
  search: (victim: Victim) => Promise<T>,
): Promise<T> {
  const victim = new Victim(model, view, task.nodes);
  try {
    return await search(victim);
  } finally {
    victim.dispose();
  }
}

/** Accuracy of a model on the discrete graph with these flips. */
export async function accuracyAfter(
  model: Model,
  view: GraphView,
  flips: Flips,
  nodes: ArrayLike<number>,
): Promise<number> {
  const perturbed = withFlips(view, flips);
  return evaluate(model, perturbed, nodes).finally(() => perturbed.dispose());
}

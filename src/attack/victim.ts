import { breathe } from "../core/breathe.ts";
import { check } from "../core/errors.ts";
import { ForwardCache } from "../nn/forward-cache.ts";
import { forwardAt, type Model } from "../nn/model.ts";
import { type NodeSet, nodeSet, numEqual } from "../nn/training/node-set.ts";
import {
  type Block,
  EdgeFactors,
  filled,
  type GraphView,
  layOverAll,
  scope,
  type Tensor,
  valueAndGrad,
} from "../tensor/index.ts";
import type { AttackLoss } from "./losses.ts";

/** A model under attack: fixed weights, in evaluation mode, and the nodes whose classification counts. */
export class Victim {
  readonly model: Model;
  readonly view: GraphView;
  readonly attacked: NodeSet;
  private readonly cache = new ForwardCache("weights");

  constructor(model: Model, view: GraphView, nodes: ArrayLike<number>) {
    this.model = model;
    this.view = view;
    this.attacked = nodeSet(view.backend, view.graph, Int32Array.from(nodes).sort()); // their rows lie closer together
  }

  /** Loss and correct nodes on a relaxed graph, and the gradient of the loss by `weights`, which stays on the device. */
  async step(relaxed: () => GraphView, loss: AttackLoss, weights: Tensor): Promise<Look & { gradient: Tensor }> {
    const { gradient, ...look } = this.launchStep(relaxed, loss, weights);
    return { ...(await read(look.loss, look.correct)), gradient };
  }

  /** The same with everything still on the device; the caller disposes it. */
  launchStep(relaxed: () => GraphView, loss: AttackLoss, weights: Tensor): DeviceLook & { gradient: Tensor } {
    const { value, aux, grads } = valueAndGrad(() => this.outcome(relaxed(), loss), [weights]);
    return { loss: value, correct: aux[0], gradient: grads[0] };
  }

  /** The same at the graph with `flips` laid over it, with the gradient by all pairs as factors; the caller disposes them. */
  async stepOnAll(flips: Block, loss: AttackLoss): Promise<Look & { factors: EdgeFactors }> {
    const anchor = filled(this.view.backend, [1], 0);
    const factors = new EdgeFactors();
    try {
      const { value, aux, grads } = valueAndGrad(
        () => this.outcome(layOverAll(this.view, flips, anchor, factors), loss),
        [anchor],
      );
      grads[0].dispose();
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
    const [value, correct] = scope(() => this.outcome(relaxed(), loss));
    return { loss: value, correct };
  }

  /** Logits of all nodes; products that the fixed weights determine are computed once. */
  forward(view: GraphView): Tensor {
    return this.model.forward(view, { cache: this.cache, dropout: null });
  }

  private outcome(view: GraphView, loss: AttackLoss): readonly [Tensor, Tensor] {
    const { nodes, labels } = this.attacked;
    const logits = forwardAt(this.model, view, { cache: this.cache, dropout: null }, nodes);
    return loss.withCorrect?.(logits, labels) ?? [loss(logits, labels), numEqual(logits, labels)];
  }

  dispose(): void {
    this.cache.dispose();
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

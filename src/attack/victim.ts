import { breathe } from "../core/breathe.ts";
import { check, UserError } from "../core/errors.ts";
import type { Model, Pass } from "../nn/model.ts";
import { type NodeSet, nodeSet } from "../nn/training/node-set.ts";
import { EdgeFactors } from "../tensor/edge-factors.ts";
import {
  type Block,
  Constants,
  filled,
  type GraphView,
  gatherRows,
  scope,
  type Tensor,
  valueAndGrad,
} from "../tensor/index.ts";
import { layOverAll } from "../tensor/overlay.ts";
import { IndependentError } from "../tensor/tape.ts";
import type { AttackLoss } from "./losses.ts";
import { accuracyObjective, type Objective } from "./objective.ts";

/**
 * A model under attack, with fixed weights and in evaluation mode; the nodes whose classification counts; and the
 * objective.
 */
export class Victim {
  readonly model: Model;
  readonly view: GraphView;
  readonly attacked: NodeSet;
  readonly objective: Objective;
  private readonly constants = new Constants(); // weights do not change
  private readonly pass: Pass = { constants: this.constants, dropout: null };

  constructor(model: Model, view: GraphView, nodes: ArrayLike<number>, objective = accuracyObjective) {
    this.model = model;
    this.view = view;
    this.objective = objective;
    this.attacked = nodeSet(view, Int32Array.from(nodes).sort()); // sorted, their rows lie closer together
  }

  /** Loss and score on a relaxed graph, and the gradient of the loss by `weights`, which stays on the device. */
  async step(relaxed: () => GraphView, loss: AttackLoss, weights: Tensor): Promise<Evaluation & { gradient: Tensor }> {
    const { gradient, ...evaluation } = this.launchStep(relaxed, loss, weights);
    return { ...(await read(evaluation.loss, evaluation.score)), gradient };
  }

  /**
   * {@link step} without reading anything back: all of it stays on the device, and the caller disposes it. @internal
   */
  launchStep(relaxed: () => GraphView, loss: AttackLoss, weights: Tensor): LaunchedEvaluation & { gradient: Tensor } {
    const { value, aux, grads } = this.gradientAt(relaxed, loss, weights);
    return { loss: value, score: aux[0], gradient: grads[0] };
  }

  /**
   * {@link step} at the graph with `flips` laid over it. Gives the gradient by all pairs, as factors; the caller
   * disposes them.
   * @internal
   */
  async stepOnAll(flips: Block, loss: AttackLoss): Promise<Evaluation & { factors: EdgeFactors }> {
    const anchor = filled(this.view.backend, [1], 0);
    const factors = new EdgeFactors();
    try {
      const { value, aux } = this.gradientAt(() => layOverAll(this.view, flips, anchor, factors), loss, anchor);
      return { ...(await read(value, aux[0])), factors };
    } catch (error) {
      factors.dispose();
      throw error;
    } finally {
      anchor.dispose();
    }
  }

  /** Loss and score on a relaxed graph. */
  async evaluate(relaxed: () => GraphView, loss: AttackLoss): Promise<Evaluation> {
    const seen = this.launchEvaluation(relaxed, loss);
    return read(seen.loss, seen.score);
  }

  /** {@link evaluate} without reading anything back; the caller disposes the results. @internal */
  launchEvaluation(relaxed: () => GraphView, loss: AttackLoss): LaunchedEvaluation {
    const [value, score] = this.constants.during(() => scope(() => this.outcome(relaxed(), loss)));
    return { loss: value, score };
  }

  private gradientAt(seen: () => GraphView, loss: AttackLoss, weights: Tensor) {
    try {
      return this.constants.during(() => valueAndGrad(() => this.outcome(seen(), loss), [weights]));
    } catch (error) {
      if (!(error instanceof IndependentError)) throw error;
      throw new UserError(
        `${this.model.name}: its logits do not depend on candidate edges, although it says that it can be ` +
          "differentiated by edges; let it mix neighbours through propagate, convolve and degrees, not view.adjacency",
      );
    }
  }

  private outcome(view: GraphView, loss: AttackLoss): readonly [Tensor, Tensor] {
    const { nodes, labels } = this.attacked;
    const logits = gatherRows(this.model.forward(view, this.pass), nodes);
    return [loss(logits, labels), this.objective.score(logits, labels)];
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

/** Loss and score of one forward pass. */
export interface Evaluation {
  readonly loss: number;
  /** The score of the objective: by default, the number of attacked nodes that are right. */
  readonly score: number;
}

/** The same, not read back yet: tensors of one element. @internal */
export interface LaunchedEvaluation {
  readonly loss: Tensor;
  readonly score: Tensor;
}

async function read(loss: Tensor, score: Tensor): Promise<Evaluation> {
  const result = { loss: await loss.item(), score: await score.item() };
  loss.dispose();
  score.dispose();
  await breathe(); // lets Ctrl-C and timers through
  return result;
}

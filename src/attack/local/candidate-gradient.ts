import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import {
  affine,
  Constants,
  type GraphView,
  gatherRows,
  IntTensor,
  layOver,
  type Values,
  valueAndGrad,
} from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import type { AttackLoss } from "../losses.ts";
import type { LocalTarget } from "./local-task.ts";

/** Gradients of the loss of one node by candidate flips, on the clean graph with some flips made. */
export class CandidateGradient {
  private readonly constants = new Constants(); // weights do not change
  private readonly model: Model;
  private readonly view: GraphView;
  private readonly loss: AttackLoss;

  constructor(model: Model, view: GraphView, loss: AttackLoss) {
    this.model = model;
    this.view = view;
    this.loss = loss;
  }

  /**
   * How fast the loss grows as each candidate is flipped, on the clean graph with the flips `made`. The loss is that of
   * the true class, or, if there is a class that the node should get, the negative of the loss of that class.
   */
  async at({ node, label, towards }: LocalTarget, made: Flips, candidates: Flips): Promise<Values> {
    const { model, view, constants } = this;
    const flipped = blockOfFlips(view, made);
    const block = blockOfFlips(view, candidates);
    const outcome = () => {
      const all = model.forward(layOver(view, flipped, 0, block), { constants, dropout: null });
      const logits = gatherRows(all, IntTensor.from(view.backend, [node]));
      const value = this.loss(logits, IntTensor.from(view.backend, [towards ?? label]));
      return [towards === null ? value : affine(value, -1)] as const;
    };
    try {
      const { value, grads } = constants.during(() => valueAndGrad(outcome, [block.weights]));
      value.dispose();
      return await grads[0].read().finally(() => grads[0].dispose());
    } finally {
      for (const item of [flipped, block]) item.dispose();
    }
  }

  dispose(): void {
    this.constants.dispose();
  }
}

import { filled, keep, type Tensor } from "../../tensor/index.ts";
import { constant } from "../layers/init.ts";
import type { Model } from "../model.ts";

/** A copy of a model's state at its best epoch so far. Scores are compared on the device and not read back. */
export class Snapshot {
  private readonly pairs: readonly { live: Tensor; saved: Tensor }[];
  private readonly lowest: Tensor;
  private readonly chosen: Tensor;

  /** Begins with the state that the model has now. */
  constructor(model: Model) {
    const live = [...model.parameters.values(), ...model.statistics.values()];
    this.pairs = live.map((tensor) => ({ live: tensor, saved: constant(tensor.backend, tensor.shape, 0) }));
    for (const { live, saved } of this.pairs) live.backend.copy(saved.buffer, live.buffer);
    const { backend } = live[0];
    this.lowest = keep(filled(backend, [1], Number.POSITIVE_INFINITY));
    this.chosen = keep(filled(backend, [1], 0));
  }

  /** Saves the state of the model if the one element of `score` is the lowest so far. */
  offer(score: Tensor): void {
    const { chosen, lowest } = this;
    score.backend.improve(chosen.buffer, lowest.buffer, score.buffer);
    const copies = this.pairs.map(({ live, saved }) => [saved.buffer, live.buffer] as const);
    score.backend.copyIf(copies, chosen.buffer);
  }

  /** Its tensors by name, as a checkpoint saves them. */
  tensors(): Map<string, Tensor> {
    return new Map([
      ...this.pairs.map(({ saved }, i) => [`best.${i}`, saved] as const),
      ["best.score", this.lowest] as const,
    ]);
  }

  restore(): void {
    for (const { live, saved } of this.pairs) live.backend.copy(live.buffer, saved.buffer);
  }

  dispose(): void {
    for (const tensor of [...this.pairs.map(({ saved }) => saved), this.lowest, this.chosen]) tensor.dispose();
  }
}

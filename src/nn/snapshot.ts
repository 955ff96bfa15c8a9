import type { Tensor } from "../tensor/index.ts";
import { constant } from "./init.ts";
import type { Model } from "./model.ts";

/** A copy of a model's state on the device: the weights of the best epoch so far. */
export class Snapshot {
  private readonly pairs: readonly { live: Tensor; saved: Tensor }[];

  constructor(model: Model) {
    const live = [...model.parameters.values(), ...model.statistics.values()];
    this.pairs = live.map((tensor) => ({ live: tensor, saved: constant(tensor.backend, tensor.shape, 0) }));
    this.take();
  }

  take(): void {
    for (const { live, saved } of this.pairs) live.backend.copy(saved.buffer, live.buffer);
  }

  restore(): void {
    for (const { live, saved } of this.pairs) live.backend.copy(live.buffer, saved.buffer);
  }

  dispose(): void {
    for (const { saved } of this.pairs) saved.dispose();
  }
}

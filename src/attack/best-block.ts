import type { PairBuffers } from "../backend/backend.ts";
import { type Block, empty, filled, type GraphView, keep, type Tensor } from "../tensor/index.ts";
import { allocPairs } from "./block.ts";

/**
 * Remembers the pairs and weights of the block with the strictly lowest score so far; signs are looked up again. Scores are
 * compared on the device: nobody waits for them.
 */
export class BestBlock {
  private readonly view: GraphView;
  private readonly score: Tensor;
  private readonly chosen: Tensor;
  private best: { pairs: PairBuffers; weights: Tensor } | null = null;

  constructor(view: GraphView) {
    const { backend } = view;
    this.view = view;
    this.score = keep(filled(backend, [1], Number.POSITIVE_INFINITY));
    this.chosen = keep(empty(backend, [1]));
  }

  /** Takes `block` if the one element of `score` is lower than any before. */
  offer(score: Tensor, block: Block): void {
    const { chosen } = this;
    const { backend } = this.view;
    backend.improve(chosen.buffer, this.score.buffer, score.buffer);
    const isFirst = this.best === null;
    this.best ??= {
      pairs: allocPairs(this.view, block.pairs.length),
      weights: keep(empty(backend, block.weights.shape)),
    };
    for (const [to, from] of buffersOf(this.best, block)) {
      if (isFirst) backend.copy(to, from);
      else backend.copyIf(to, from, chosen.buffer);
    }
  }

  /** Writes the best block over `current`; nothing happens if none was offered. */
  restore(current: Block): void {
    if (!this.best) return;
    const { backend, adjacency } = this.view;
    for (const [to, from] of buffersOf(current, this.best)) backend.copy(to, from);
    backend.pairSigns(current.signs.buffer, current.pairs, adjacency.buffers);
  }

  dispose(): void {
    if (this.best) {
      this.view.backend.free(this.best.pairs.sources);
      this.view.backend.free(this.best.pairs.targets);
      this.best.weights.dispose();
    }
    this.score.dispose();
    this.chosen.dispose();
  }
}

/** The buffers of two blocks of the same size, side by side. */
function buffersOf(a: Omit<Block, "signs">, b: Omit<Block, "signs">) {
  return [
    [a.pairs.sources, b.pairs.sources],
    [a.pairs.targets, b.pairs.targets],
    [a.weights.buffer, b.weights.buffer],
  ] as const;
}

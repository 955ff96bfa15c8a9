import type { PairBuffers } from "../backend/backend.ts";
import { type Block, empty, filled, type GraphView, keep, type Tensor } from "../tensor/index.ts";
import { allocPairs } from "./block.ts";

/**
 * Remembers the pairs and weights of the block with the strictly lowest score so far; {@link restore} computes its
 * signs again. Scores are compared on the device, so that the host never waits for them.
 */
export class BestBlock {
  private readonly view: GraphView;
  private readonly score: Tensor;
  private readonly chosen: Tensor;
  private best: { pairs: PairBuffers; weights: Tensor } | null = null;
  /**
   * Pairs of the block offered last, not copied yet. They are the best ones if `chosen` says so. If that block is
   * released before the next offer, its pairs are moved instead of copied.
   */
  private pending: PairBuffers | null = null;

  constructor(view: GraphView) {
    const { backend } = view;
    this.view = view;
    this.score = keep(filled(backend, [1], Number.POSITIVE_INFINITY));
    this.chosen = keep(empty(backend, [1]));
  }

  /**
   * Takes `block` if the one element of `score` is lower than any before. The caller may change its weights afterwards,
   * but not its pairs, and calls {@link release} before disposing it.
   */
  offer(score: Tensor, { pairs, weights }: Block): void {
    const { chosen } = this;
    const { backend } = this.view;
    this.copyPending();
    backend.improve(chosen.buffer, this.score.buffer, score.buffer);
    if (!this.best) {
      this.best = { pairs: allocPairs(this.view, pairs.length), weights: keep(empty(backend, weights.shape)) };
      for (const [to, from] of buffersOf(this.best, { pairs, weights })) backend.copy(to, from);
    } else {
      backend.copyIf([[this.best.weights.buffer, weights.buffer]], chosen.buffer);
      this.pending = pairs;
    }
  }

  /** To be called before `block` is disposed: moves its pairs here if it is the best. */
  release({ pairs }: Block): void {
    if (this.pending !== pairs) return;
    this.view.backend.moveIf(pairColumns(this.best!.pairs, pairs), this.chosen.buffer);
    this.pending = null;
  }

  private copyPending(): void {
    if (this.pending) this.view.backend.copyIf(pairColumns(this.best!.pairs, this.pending), this.chosen.buffer);
    this.pending = null;
  }

  /** Writes the best block over `current`; nothing happens if none was offered. */
  restore(current: Block): void {
    if (!this.best) return;
    const { backend, adjacency } = this.view;
    this.copyPending();
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
  return [...pairColumns(a.pairs, b.pairs), [a.weights.buffer, b.weights.buffer] as const];
}

function pairColumns(a: PairBuffers, b: PairBuffers) {
  return [[a.sources, b.sources] as const, [a.targets, b.targets] as const];
}

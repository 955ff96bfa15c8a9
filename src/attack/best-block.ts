import type { Backend } from "../backend/backend.ts";
import { type Block, empty, filled, keep, type Tensor } from "../tensor/index.ts";
import { type CandidateBlock, copyBlock } from "./block.ts";

/** Remembers the block with the strictly lowest score so far. Scores are compared on the device: nobody waits for them. */
export class BestBlock {
  private readonly backend: Backend;
  private readonly score: Tensor;
  private readonly chosen: Tensor;
  private block: CandidateBlock | null = null;

  constructor(backend: Backend) {
    this.backend = backend;
    this.score = keep(filled(backend, [1], Number.POSITIVE_INFINITY));
    this.chosen = keep(empty(backend, [1]));
  }

  /** Takes `block` if the one element of `score` is lower than any before. */
  offer(score: Tensor, block: Block): void {
    const { backend, chosen } = this;
    backend.improve(chosen.buffer, this.score.buffer, score.buffer);
    if (!this.block) this.block = copyBlock(backend, block);
    for (const [to, from] of buffersOf(this.block, block)) backend.copyIf(to, from, chosen.buffer);
  }

  /** Writes the best block over `current`; nothing happens if none was offered. */
  restore(current: Block): void {
    if (!this.block) return;
    for (const [to, from] of buffersOf(current, this.block)) this.backend.copy(to, from);
  }

  dispose(): void {
    this.block?.dispose();
    this.score.dispose();
    this.chosen.dispose();
  }
}

/** The buffers of two blocks of the same size, side by side. */
function buffersOf(a: Block, b: Block) {
  return [
    [a.pairs.sources, b.pairs.sources],
    [a.pairs.targets, b.pairs.targets],
    [a.signs.buffer, b.signs.buffer],
    [a.weights.buffer, b.weights.buffer],
  ] as const;
}

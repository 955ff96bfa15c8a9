import type { Backend } from "../backend/backend.ts";
import type { Block } from "../tensor/index.ts";
import { type CandidateBlock, copyBlock } from "./block.ts";

/** Remembers the block with the strictly lowest score so far. */
export class BestBlock {
  private readonly backend: Backend;
  private score = Number.POSITIVE_INFINITY;
  private block: CandidateBlock | null = null;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  offer(score: number, block: Block): void {
    if (!(score < this.score)) return;
    this.score = score;
    this.block?.dispose();
    this.block = copyBlock(this.backend, block);
  }

  /** Puts a copy of the best block in the place of `current`, which is disposed; nothing happens if there is none. */
  restore(current: CandidateBlock): CandidateBlock {
    if (!this.block) return current;
    current.dispose();
    return copyBlock(this.backend, this.block);
  }

  dispose(): void {
    this.block?.dispose();
  }
}

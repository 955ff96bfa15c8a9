import type { Flips } from "../graph/flips.ts";

/** Pairs chosen one by one, each once. */
export class FlipSet {
  private readonly pairs = new Map<string, readonly [number, number]>();

  get size(): number {
    return this.pairs.size;
  }

  add(source: number, target: number): void {
    this.pairs.set(key(source, target), [source, target]);
  }

  /** The pairs in ascending order. */
  toFlips(): Flips {
    const sorted = [...this.pairs.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return { sources: Int32Array.from(sorted, ([i]) => i), targets: Int32Array.from(sorted, ([, j]) => j) };
  }
}

function key(source: number, target: number): string {
  return `${source},${target}`;
}

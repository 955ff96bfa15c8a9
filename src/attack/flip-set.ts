import type { Flips } from "../graph/flips.ts";

/** Flips made so far. Flipping a pair again undoes it. */
export class FlipSet {
  private readonly pairs = new Map<string, readonly [number, number]>();

  get size(): number {
    return this.pairs.size;
  }

  has(source: number, target: number): boolean {
    return this.pairs.has(key(source, target));
  }

  toggle({ sources, targets }: Flips): void {
    for (const [k, source] of sources.entries()) {
      const pair = key(source, targets[k]!);
      if (!this.pairs.delete(pair)) this.pairs.set(pair, [source, targets[k]!]);
    }
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

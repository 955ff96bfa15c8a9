import { check } from "../../core/errors.ts";
import type { Flips } from "../../graph/flips.ts";
import { ascending } from "../choose-flips.ts";

/** Pairs of nodes as single numbers. */
export class PairKeys {
  private readonly numNodes: number;
  private readonly directed: boolean;

  constructor({ numNodes, directed }: { readonly numNodes: number; readonly directed: boolean }) {
    check(
      numNodes * numNodes <= Number.MAX_SAFE_INTEGER,
      () => `eva: cannot number the pairs of ${numNodes} nodes; attack a part of the graph`,
    );
    this.numNodes = numNodes;
    this.directed = directed;
  }

  /** The key of a pair; on an undirected graph its nodes may come in either order. */
  of(i: number, j: number): number {
    return this.directed || i < j ? i * this.numNodes + j : j * this.numNodes + i;
  }

  source(key: number): number {
    return Math.floor(key / this.numNodes);
  }

  target(key: number): number {
    return key % this.numNodes;
  }

  ofFlips({ sources, targets }: Flips): number[] {
    return Array.from(sources, (source, k) => this.of(source, targets[k]));
  }

  /** The pairs in ascending order. */
  toFlips(keys: Iterable<number>): Flips {
    const all = Array.from(keys);
    return ascending({
      sources: Int32Array.from(all, (key) => this.source(key)),
      targets: Int32Array.from(all, (key) => this.target(key)),
    });
  }
}

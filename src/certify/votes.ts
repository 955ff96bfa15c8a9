import { check } from "../core/errors.ts";

/** How often a model chose each class for each node, over noisy graphs. */
export class Votes {
  readonly numNodes: number;
  readonly numClasses: number;
  /** Noisy graphs so far. */
  samples: number;
  /** [nodes, classes], row by row. */
  readonly counts: Uint32Array;

  constructor(
    numNodes: number,
    numClasses: number,
    counts: Uint32Array = new Uint32Array(numNodes * numClasses),
    samples = 0,
  ) {
    check(
      counts.length === numNodes * numClasses,
      () => `votes: ${counts.length} counts for ${numNodes} nodes and ${numClasses} classes`,
    );
    this.numNodes = numNodes;
    this.numClasses = numClasses;
    this.counts = counts;
    this.samples = samples;
  }

  /** One more noisy graph, with the class of each node. */
  add(predictions: ArrayLike<number>): void {
    const { counts, numClasses } = this;
    for (let node = 0; node < this.numNodes; node++) counts[node * numClasses + predictions[node]]++;
    this.samples++;
  }

  /** The votes over other noisy graphs. */
  addAll(more: Votes): void {
    for (let at = 0; at < this.counts.length; at++) this.counts[at] += more.counts[at];
    this.samples += more.samples;
  }

  of(node: number, chosen: number): number {
    return this.counts[node * this.numClasses + chosen];
  }

  /** The class with the most votes, the first on ties. */
  winner(node: number): number {
    let best = 0;
    for (let c = 1; c < this.numClasses; c++) if (this.of(node, c) > this.of(node, best)) best = c;
    return best;
  }

  /** The most votes that a class other than this one has. */
  strongestOther(node: number, chosen: number): number {
    let most = 0;
    for (let c = 0; c < this.numClasses; c++) if (c !== chosen) most = Math.max(most, this.of(node, c));
    return most;
  }
}

import { type Key, philox } from "../../core/philox.ts";
import type { Shape } from "../../graph/shapes.ts";

/** How many nodes of a shape are in each set of its public split. */
export interface SplitSizes {
  readonly train: number;
  readonly val: number;
  readonly test: number;
}

/** The sets that a node can be in. */
export const TRAIN = 0;
export const VAL = 1;
export const TEST = 2;
/** In no set, and without a label. */
export const UNLABELLED = 3;

/**
 * Sizes of published splits, with the number of nodes of their graphs. In papers100M, only one node in 72 has a label.
 */
const PUBLISHED: Readonly<Record<string, SplitSizes & { readonly numNodes: number }>> = {
  arxiv: { numNodes: 169_343, train: 90_941, val: 29_799, test: 48_603 },
  products: { numNodes: 2_449_029, train: 196_615, val: 39_323, test: 2_213_091 },
  papers100M: { numNodes: 111_059_956, train: 1_207_179, val: 125_265, test: 214_338 },
};

/** Percentages for shapes without a published split of this kind. */
const OTHERWISE = { numNodes: 100, train: 10, val: 10, test: 80 };

/** Sizes in proportion to those of the published split; equal to them at the published number of nodes. */
export function splitSizes({ name, numNodes }: Shape): SplitSizes {
  const known = name.replace(/-x.*$/, "");
  const { train, val, test, ...published } = Object.hasOwn(PUBLISHED, known) ? PUBLISHED[known] : OTHERWISE;
  const upTo = (count: number) => Math.round((count / published.numNodes) * numNodes);
  return {
    train: upTo(train),
    val: upTo(train + val) - upTo(train),
    test: upTo(train + val + test) - upTo(train + val),
  };
}

const SETS = 5; // third word of the Philox counter, different from those of `shape-rows.ts`

/**
 * A function that gives the sets of nodes 0, 1, … one after the other. Every node draws one of the places that are
 * left, so the sizes are exact and only four counts are kept (selection sampling, Knuth's algorithm S).
 */
export function setDrawer({ numNodes }: Shape, sizes: SplitSizes, seed: number): () => number {
  const key: Key = { lo: seed >>> 0, hi: Math.floor(seed / 2 ** 32) >>> 0 };
  const words = new Uint32Array(4);
  const left = [sizes.train, sizes.val, sizes.test, numNodes - sizes.train - sizes.val - sizes.test];
  let node = 0;
  return () => {
    if (node % 4 === 0) philox(words, key, node / 4, 0, SETS);
    let at = (words[node % 4] / 2 ** 32) * (numNodes - node);
    node++;
    let set = TRAIN;
    while (set < UNLABELLED && at >= left[set]) at -= left[set++];
    left[set]--;
    return set;
  };
}

import { check } from "../core/errors.ts";
import { NumpyRandom } from "./numpy-random.ts";

/** Nodes for training, for model selection and for reporting results. */
export interface Split {
  readonly train: Int32Array;
  readonly val: Int32Array;
  readonly test: Int32Array;
}

/** A random split. */
export interface RandomSplit extends Split {
  /** The generator after the split, for whatever the published experiments draw next. */
  readonly random: NumpyRandom;
}

/** How many nodes of each class go into the parts of a {@link randomSplit}. */
export interface RandomSplitOptions {
  /** Training nodes of each class, and as many for validation. Default 20. */
  readonly perClass?: number;
  /** Take a third of a class that is too small, instead of refusing it. Default false. */
  readonly fewer?: boolean;
}

/**
 * The split of the published experiments: `perClass` training and as many validation nodes of each class, the rest of
 * the labelled nodes is the test set. Same seed, same nodes in the same order as the reference (check values in the
 * tests).
 *
 * @example
 * const { train, val, test } = randomSplit(graph.labels, graph.numClasses, 0); // seed 0
 */
export function randomSplit(
  labels: Int32Array,
  numClasses: number,
  seed: number,
  { perClass = 20, fewer = false }: RandomSplitOptions = {},
): RandomSplit {
  const random = new NumpyRandom(seed);
  const train: number[] = [];
  const val: number[] = [];
  for (let label = 0; label < numClasses; label++) {
    const nodes = random.permute(nodesOf(labels, label));
    const enough = nodes.length >= 2 * perClass;
    check(
      enough || fewer,
      () => `randomSplit: class ${label} has ${nodes.length} nodes, must have ${2 * perClass}; lower perClass`,
    );
    const taken = takenOfClass(nodes.length, perClass);
    for (const node of nodes.slice(0, taken)) train.push(node);
    for (const node of nodes.slice(taken, 2 * taken)) val.push(node);
  }
  random.permute(train);
  random.permute(val);
  const taken = new Set([...train, ...val]);
  const test = Int32Array.from(labels.keys()).filter((node) => labels[node] >= 0 && !taken.has(node));
  return { train: Int32Array.from(train), val: Int32Array.from(val), test, random };
}

/** Training nodes of a class with `size` nodes: a third, but at least one, if it is too small for `perClass`. */
export function takenOfClass(size: number, perClass: number): number {
  return size >= 2 * perClass ? perClass : Math.max(1, Math.floor(size / 3));
}

/** How a split by shares divides the labelled nodes, in percent. */
export interface Shares {
  readonly train: number;
  readonly val: number;
  readonly test: number;
}

/** Divides the labelled nodes at random by these shares; every labelled node is in one of the sets. */
export function splitByShares(labels: Int32Array, seed: number, { train, val }: Shares): RandomSplit {
  const random = new NumpyRandom(seed);
  const labelled = Array.from(labels.keys()).filter((node) => labels[node] >= 0);
  const nodes = Int32Array.from(random.permute(labelled));
  const endOfTrain = Math.round((train / 100) * nodes.length);
  const endOfVal = Math.round(((train + val) / 100) * nodes.length);
  return {
    train: nodes.slice(0, endOfTrain),
    val: nodes.slice(endOfTrain, endOfVal),
    test: nodes.slice(endOfVal).sort(),
    random,
  };
}

/** The nodes with this label, ascending. */
function nodesOf(labels: Int32Array, label: number): number[] {
  const nodes: number[] = [];
  for (let node = 0; node < labels.length; node++) if (labels[node] === label) nodes.push(node);
  return nodes;
}

/**
 * The split after only the nodes `kept`, of `numNodes`, were kept and renumbered in this order. The others leave their
 * sets.
 */
export function renumberSplit(split: Split, kept: Int32Array, numNodes: number): Split {
  const renumbered = new Int32Array(numNodes).fill(-1);
  for (let i = 0; i < kept.length; i++) renumbered[kept[i]] = i;
  const renumber = (nodes: Int32Array) => nodes.map((node) => renumbered[node]).filter((node) => node >= 0);
  return { train: renumber(split.train), val: renumber(split.val), test: renumber(split.test) };
}

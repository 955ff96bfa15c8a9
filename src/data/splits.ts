import { check } from "../core/errors.ts";
import { NumpyRandom } from "./numpy-random.ts";

/** Nodes to learn from, to choose by and to report on. */
export interface Split {
  readonly train: Int32Array;
  readonly val: Int32Array;
  readonly test: Int32Array;
}

/** A split by chance. */
export interface RandomSplit extends Split {
  /** The generator after the split, for whatever the published experiments draw next. */
  readonly random: NumpyRandom;
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
  { perClass = 20 }: { perClass?: number } = {},
): RandomSplit {
  const random = new NumpyRandom(seed);
  const train: number[] = [];
  const val: number[] = [];
  for (let label = 0; label < numClasses; label++) {
    const nodes = random.permute(nodesOf(labels, label));
    const enough = nodes.length >= 2 * perClass;
    check(
      enough,
      () => `randomSplit: class ${label} has ${nodes.length} nodes, must have ${2 * perClass}; lower perClass`,
    );
    train.push(...nodes.slice(0, perClass));
    val.push(...nodes.slice(perClass, 2 * perClass));
  }
  random.permute(train);
  random.permute(val);
  const taken = new Set([...train, ...val]);
  const test = Int32Array.from(labels.keys()).filter((node) => labels[node] >= 0 && !taken.has(node));
  return { train: Int32Array.from(train), val: Int32Array.from(val), test, random };
}

/** Ascending. */
function nodesOf(labels: Int32Array, label: number): number[] {
  const nodes: number[] = [];
  for (let node = 0; node < labels.length; node++) if (labels[node] === label) nodes.push(node);
  return nodes;
}

/**
 * The split after only `kept` of `numNodes` nodes were kept (ascending) and renumbered: the others leave their sets.
 */
export function renumberSplit(split: Split, kept: Int32Array, numNodes: number): Split {
  const renumbered = new Int32Array(numNodes).fill(-1);
  for (let i = 0; i < kept.length; i++) renumbered[kept[i]] = i;
  const renumber = (nodes: Int32Array) => nodes.map((node) => renumbered[node]).filter((node) => node >= 0);
  return { train: renumber(split.train), val: renumber(split.val), test: renumber(split.test) };
}

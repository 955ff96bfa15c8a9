import { check } from "../core/errors.ts";
import { Rng } from "../core/rng.ts";
import type { Split } from "../data/splits.ts";
import { stream } from "../defense/build-model.ts";

/** Some of these nodes, drawn with a seed, in ascending order; all of them if there are no more than `most`. */
export function sampleNodes(nodes: Int32Array, most: number, seed: number): Int32Array {
  if (nodes.length <= most) return nodes;
  const rng = new Rng(seed, stream.sample);
  const pool = nodes.slice();
  for (let t = 0; t < most; t++) {
    const chosen = t + rng.integer(pool.length - t);
    const node = pool[chosen];
    pool[chosen] = pool[t];
    pool[t] = node;
  }
  return pool.subarray(0, most).sort();
}

/** The split with `trainNodes` of its training nodes, and validation nodes in proportion. */
export function sampleSplit(split: Split, trainNodes: number | undefined, seed: number): Split {
  if (trainNodes === undefined) return split;
  const { train, val, test } = split;
  check(
    trainNodes >= 1 && trainNodes <= train.length,
    () => `--train-nodes must be 1 to ${train.length}, the training nodes of the split, got ${trainNodes}`,
  );
  const valNodes = Math.max(1, Math.round((trainNodes / train.length) * val.length));
  return { train: sampleNodes(train, trainNodes, seed), val: sampleNodes(val, valNodes, seed), test };
}

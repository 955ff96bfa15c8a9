import type { NodeIds } from "../data/node-ids.ts";
import type { SplitChoice } from "../data/split-choice.ts";
import { type SplitSource, type SplittableGraph, splitSource } from "../data/split-source.ts";
import { readSplitFile } from "../files/split-file.ts";
import { splitHash } from "../files/split-hash.ts";

/** What reports say of a split. */
export interface SplitFacts {
  readonly name: string;
  readonly train: number;
  readonly val: number;
  readonly test: number;
  /** See `splitHash`. */
  readonly sha256: string;
}

/** A split that can be drawn with every seed, and what reports say of it. */
export interface OpenedSplit extends SplitSource {
  facts(seed: number): SplitFacts;
}

/** Opens a split, from its file if one is named. A split that no run could use fails here. */
export function openSplit(loaded: SplittableGraph, choice: SplitChoice | undefined): OpenedSplit {
  const source = sourceOf(loaded, choice);
  const known = new Map<number, SplitFacts>(); // a million ids take seconds to hash
  const facts = (seed: number) => {
    const before = known.get(seed) ?? factsOf(source, seed, loaded.ids);
    known.set(seed, before);
    return before;
  };
  return { ...source, facts };
}

function sourceOf(loaded: SplittableGraph, choice: SplitChoice | undefined): SplitSource {
  if (choice?.kind !== "file") return splitSource(loaded, choice);
  const { split, notes } = readSplitFile(choice.path, loaded.ids);
  return { ...splitSource(loaded, choice, split), notes };
}

function factsOf(source: SplitSource, seed: number, ids: NodeIds): SplitFacts {
  const split = source.split(seed);
  return {
    name: source.name,
    train: split.train.length,
    val: split.val.length,
    test: split.test.length,
    sha256: splitHash(split, ids),
  };
}

import type { NodeId } from "../../data/node-ids.ts";

/** Flips that lowered the accuracy of a model on all test nodes, with no constraint besides the budget. */
export interface CollectionEntry {
  readonly graph: CollectedGraph;
  readonly split: CollectedSplit;
  /** Most flips that were allowed. */
  readonly budget: number;
  /** The model whose accuracy the flips lowered. */
  readonly model: string;
  /** The model on which the flips were found, if it was another one. */
  readonly surrogate?: string;
  readonly attack: string;
  /** Accuracy of `model` on the test nodes. */
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  /** Pairs of nodes, by their ids in the input. */
  readonly flips: readonly (readonly [NodeId, NodeId])[];
}

/** Which graph flips belong to. */
export interface CollectedGraph {
  readonly name: string;
  /** See `graphHash`: flips fit a graph with this content, whatever it is called. */
  readonly sha256: string;
}

/** Which nodes were attacked: the test nodes of this split. */
export interface CollectedSplit {
  readonly name: string;
  readonly seed: number;
  /** See `splitHash`. */
  readonly sha256: string;
}

/** The strongest flips for each graph, split, budget and model. */
export interface Collection {
  readonly entries: readonly CollectionEntry[];
}

/** The result of offering an entry to a collection. */
export interface Kept {
  readonly collection: Collection;
  /** False if the collection has an entry for the same graph, split, budget and model that is at least as strong. */
  readonly isKept: boolean;
  /** The entry for the same graph, split, budget and model that was there before. */
  readonly before: CollectionEntry | null;
}

/** The collection with an entry, if it is stronger than the one for the same graph, split, budget and model. */
export function withStrongest({ entries }: Collection, entry: CollectionEntry): Kept {
  const before = entries.find((other) => isForSame(entry, other)) ?? null;
  if (before && before.accuracy.adversarial <= entry.accuracy.adversarial) {
    return { collection: { entries }, isKept: false, before };
  }
  const others = entries.filter((other) => other !== before);
  return { collection: { entries: [...others, entry].sort(inOrder) }, isKept: true, before };
}

/** Whether two entries are about the same graph, split, budget and model. */
function isForSame(a: CollectionEntry, b: CollectionEntry): boolean {
  return (
    a.graph.sha256 === b.graph.sha256 &&
    a.split.sha256 === b.split.sha256 &&
    a.budget === b.budget &&
    a.model === b.model
  );
}

function inOrder(a: CollectionEntry, b: CollectionEntry): number {
  return (
    byText(a.graph.name, b.graph.name) ||
    a.split.seed - b.split.seed ||
    byText(a.split.sha256, b.split.sha256) ||
    byText(a.model, b.model) ||
    a.budget - b.budget
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

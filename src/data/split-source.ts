import { check } from "../core/errors.ts";
import type { Graph } from "../graph/graph.ts";
import { catalogue } from "./catalogue/catalogue.ts";
import { NumpyRandom } from "./numpy-random.ts";
import type { LoadedGraph } from "./preprocess.ts";
import { SPLIT_FORMS, type SplitChoice } from "./split-choice.ts";
import { randomSplit, type Split, splitByShares, takenOfClass } from "./splits.ts";

/** Training nodes of each class in the published experiments. */
const PER_CLASS = 20;

/** A split that can be drawn with any seed, its name, and what a user should know about it. */
export interface SplitSource {
  /** As it would be given to `--split`. */
  readonly name: string;
  readonly notes: readonly string[];
  split(seed: number): Split;
  /** The generator after drawing the split, for what the published experiments draw next. */
  randomAfter(seed: number): NumpyRandom;
}

/** What a split is drawn from: a loaded graph, or what a graph store knows of one. */
export interface SplittableGraph extends Pick<LoadedGraph, "ids" | "classes" | "splits" | "missingSplit"> {
  readonly graph: Pick<Graph, "name" | "numClasses" | "labels">;
}

/** The split that was asked for; `fromFile` are the nodes of a split file. */
export function splitSource(loaded: SplittableGraph, choice?: SplitChoice, fromFile?: Split): SplitSource {
  if (choice?.kind === "file") {
    check(fromFile !== undefined, () => `${choice.path}: must be read before its split is used`);
    return { name: choice.path, notes: [], split: () => checkSplit(loaded, choice.path, fromFile), randomAfter };
  }
  if (choice?.kind === "shares") {
    const { train, val, test } = choice.shares;
    const name = `shares:${train},${val},${test}`;
    const draw = (seed: number) => splitByShares(loaded.graph.labels, seed, choice.shares);
    return {
      name,
      notes: [],
      split: (seed) => checkSplit(loaded, name, draw(seed)),
      randomAfter: (seed) => draw(seed).random,
    };
  }
  if (choice?.kind === "per-class") return perClass(loaded, choice.count);
  if (choice?.kind === "public") {
    check(hasSplit(loaded), () => `${loaded.graph.name}: has no split of its own; ${wayOut}`);
    return comesWithData(loaded);
  }
  return publishedSplit(loaded);
}

/** A new generator with this seed, for splits that are not drawn. */
const randomAfter = (seed: number) => new NumpyRandom(seed);

const wayOut = `--split can be ${SPLIT_FORMS}`;

/**
 * The split that published results on a dataset use: the one that comes with it (of several masks, number seed modulo
 * their count), or the random one of this seed. PubMed comes with a public split too, but the experiments draw their
 * own.
 */
function publishedSplit(loaded: SplittableGraph): SplitSource {
  const { name } = loaded.graph;
  const entry = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined; // these names are reserved
  if (entry?.split !== "random" && hasSplit(loaded)) return comesWithData(loaded);
  check(loaded.missingSplit === undefined, () => `${loaded.missingSplit}: is not there; ${wayOut}`);
  check(
    entry === undefined || entry.split === "random",
    () => `${name}: is published with a split, but these files have none; ${wayOut}`,
  );
  return perClass(loaded, PER_CLASS);
}

function hasSplit({ splits = {} }: SplittableGraph): boolean {
  return Object.keys(splits).length > 0;
}

function comesWithData(loaded: SplittableGraph): SplitSource {
  const { splits = {}, graph } = loaded;
  const masks = Object.keys(splits).filter((name) => name.startsWith("mask-"));
  const named = (seed: number) => (masks.length > 0 ? masks[seed % masks.length] : "public");
  const where = `the split of ${graph.name}`;
  return { name: "public", notes: [], split: (seed) => checkSplit(loaded, where, splits[named(seed)]), randomAfter };
}

function perClass(loaded: SplittableGraph, count: number): SplitSource {
  const { graph, classes } = loaded;
  const { labels, numClasses, name: where } = graph;
  const name = `per-class:${count}`;
  const sizes = new Array<number>(numClasses).fill(0);
  for (const label of labels) if (label >= 0) sizes[label]++;
  const small = classes.filter((_, label) => sizes[label] > 0 && sizes[label] < 2 * count);
  const taken = classes.flatMap((of, label) =>
    small.includes(of) ? [`${of} (${takenOfClass(sizes[label], count)} of ${sizes[label]})`] : [],
  );
  const shown = taken.length > 5 ? `${taken.slice(0, 5).join(", ")} and ${taken.length - 5} more` : taken.join(", ");
  const notes = taken.length === 0 ? [] : [`${where}: fewer than ${count} training nodes of class ${shown}`];
  const draw = (seed: number) => randomSplit(labels, numClasses, seed, { perClass: count, fewer: true });
  return {
    name,
    notes,
    split: (seed) => checkSplit(loaded, `split ${name} of ${where}`, draw(seed)),
    randomAfter: (seed) => draw(seed).random,
  };
}

/** Throws unless every set has a node and every node a label: without them there is no accuracy. */
function checkSplit({ graph, ids }: SplittableGraph, where: string, { train, val, test }: Split): Split {
  check(graph.numClasses > 0, () => `${graph.name}: no node has a label; put labels into it, or beside it`);
  for (const [set, nodes] of Object.entries({ train, val, test })) {
    check(nodes.length > 0, () => `${where}: has no ${set} nodes; ${wayOut}`);
    const unlabelled = nodes.find((node) => graph.labels[node] < 0);
    check(
      unlabelled === undefined,
      () => `${where}: node ${ids.idOf(unlabelled!)} is a ${set} node but has no label; leave it out`,
    );
  }
  return { train, val, test };
}

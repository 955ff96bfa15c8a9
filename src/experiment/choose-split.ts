import { catalogue } from "../data/catalogue/catalogue.ts";
import type { LoadedGraph } from "../data/preprocess.ts";
import { randomSplit, type Split } from "../data/splits.ts";

/**
 * The split that published results on a dataset use: the one that comes with it (of several masks the one with the number
 * of the seed), or the random one of this seed. PubMed comes with a public split too, but the experiments draw their own.
 */
export function chooseSplit(dataset: string, { graph, splits = {} }: LoadedGraph, seed: number): Split {
  const drawn = Object.hasOwn(catalogue, dataset) && catalogue[dataset].split === "random";
  const masks = Object.keys(splits).filter((name) => name.startsWith("mask-"));
  const name = masks.length > 0 ? masks[seed % masks.length] : "public";
  const given = Object.hasOwn(splits, name) ? splits[name] : undefined;
  return !drawn && given ? given : randomSplit(graph.labels, graph.numClasses, seed);
}

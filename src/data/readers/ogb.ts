import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { check, DataError } from "../../core/errors.ts";
import type { Features } from "../../graph/graph.ts";
import { readNumbers } from "../formats/csv-numbers.ts";
import { toLabels } from "../formats/npy-cast.ts";
import { openNpz } from "../formats/npz.ts";
import type { RawGraph } from "../raw-graph.ts";
import type { Split } from "../splits.ts";
import { labelColumn, nodeColumn, readEdgeList } from "./edge-list.ts";
import { readNpzGraph } from "./npz-graph.ts";

/** True for a folder as the Open Graph Benchmark publishes it: `raw/` with the graph, `split/<kind>/` with the nodes. */
export function isOgbFolder(folder: string): boolean {
  return existsSync(join(folder, "raw", "edge.csv.gz")) || existsSync(join(folder, "raw", "data.npz"));
}

/**
 * Reads a node-classification set of the Open Graph Benchmark: the csv.gz layout of ogbn-arxiv and ogbn-products, or the
 * binary layout (`raw/data.npz` and `raw/node-label.npz`) of ogbn-papers100M. Unlabelled nodes have label −1.
 */
export async function readOgb(folder: string): Promise<RawGraph> {
  const raw = existsSync(join(folder, "raw", "data.npz")) ? readBinary(folder) : await readCsv(folder);
  const split = await readSplit(folder, raw.labels.length);
  return { ...raw, name: basename(folder), where: folder, ...(split && { splits: { public: split } }) };
}

async function readCsv(folder: string): Promise<RawGraph> {
  const file = (name: string) => join(folder, "raw", name);
  const labels = labelColumn(await readNumbers(file("node-label.csv.gz")), file("node-label.csv.gz"));
  const listed = await readNumbers(file("num-node-list.csv.gz"));
  check(
    listed.data.length === 1 && listed.data[0] === labels.length,
    () =>
      `${file("num-node-list.csv.gz")}: says ${[...listed.data.subarray(0, 3)].join(", ") || "nothing"}, but there are ${labels.length} labels`,
    DataError,
  );
  const dense = await readNumbers(file("node-feat.csv.gz"), { single: true });
  const adjacency = await readEdgeList(file("edge.csv.gz"), labels.length);
  const features: Features = { ...dense, data: dense.data as Float32Array };
  return { name: basename(folder), where: folder, adjacency, features, labels };
}

function readBinary(folder: string): RawGraph {
  const graph = readNpzGraph(join(folder, "raw", "data.npz"));
  const labels = openNpz(join(folder, "raw", "node-label.npz"));
  try {
    return { ...graph, labels: toLabels(labels.array("node_label"), labels.where("node_label")) };
  } finally {
    labels.close();
  }
}

/** The one public split: `split/<kind>/{train,valid,test}.csv.gz`, where `<kind>` is time, sales_ranking or the like. */
async function readSplit(folder: string, numNodes: number): Promise<Split | undefined> {
  const splits = join(folder, "split");
  const kind = existsSync(splits)
    ? readdirSync(splits).find((name) => existsSync(join(splits, name, "train.csv.gz")))
    : undefined;
  if (!kind) return undefined;
  const read = async (set: string) => {
    const path = join(splits, kind, `${set}.csv.gz`);
    return nodeColumn(await readNumbers(path), numNodes, path);
  };
  return { train: await read("train"), val: await read("valid"), test: await read("test") };
}

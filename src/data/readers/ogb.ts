import { check, DataError } from "../../core/errors.ts";
import type { Features } from "../../graph/graph.ts";
import { readAndClose } from "../formats/byte-source.ts";
import type { NumberTable } from "../formats/csv-numbers.ts";
import { toCounts, toLabels } from "../formats/npy-cast.ts";
import { npzFrom } from "../formats/npz.ts";
import type { RawGraph } from "../raw-graph.ts";
import type { Split } from "../splits.ts";
import { edgeList, labelColumn, nodeColumn } from "./edge-list.ts";
import { type FileSet, readNumbersOf } from "./file-set.ts";
import { fileStem, lastPart } from "./file-stem.ts";
import { graphFromNpz } from "./npz-graph.ts";

/** True for files as the Open Graph Benchmark publishes them: `raw/` with the graph, `split/<kind>/` with the nodes. */
export function hasOgb(files: FileSet): boolean {
  return files.has("raw/edge.csv.gz") || files.has("raw/data.npz");
}

/**
 * Reads a node-classification set of the Open Graph Benchmark: the csv.gz layout of ogbn-arxiv and ogbn-products, or the
 * binary layout (`raw/data.npz` and `raw/node-label.npz`) of ogbn-papers100M. Unlabelled nodes have label −1.
 */
export async function readOgb(files: FileSet): Promise<RawGraph> {
  const parts = files.has("raw/data.npz") ? readBinary(files) : await readCsv(files);
  const split = await readSplit(files, parts.labels.length);
  return {
    ...parts,
    name: lastPart(files.name),
    where: files.name,
    allComponents: true,
    ...(split ? { splits: { public: split } } : { missingSplit: files.where("split/<kind>/train.csv.gz") }),
  };
}

type Parts = Pick<RawGraph, "adjacency" | "features" | "labels">;

async function readCsv(files: FileSet): Promise<Parts> {
  const read = (name: string, options = {}) => readNumbersOf(files, `raw/${name}.csv.gz`, options);
  const where = (name: string) => files.where(`raw/${name}.csv.gz`);
  const labels = labelColumn(await read("node-label"), where("node-label"));
  checkCount(await read("num-node-list"), where("num-node-list"), labels.length, "labels");
  const dense = await read("node-feat", { single: true });
  const edges = await read("edge", { numCols: 2 });
  const adjacency = edgeList(edges, labels.length, where("edge"));
  if (files.has("raw/num-edge-list.csv.gz")) {
    checkCount(await read("num-edge-list"), where("num-edge-list"), edges.numRows, "edges");
  }
  const features: Features = { ...dense, data: dense.data as Float32Array };
  return { adjacency, features, labels };
}

/** Throws unless a file of counts holds one number, which equals `count`. */
export function checkCount({ data }: Pick<NumberTable, "data">, where: string, count: number, what: string): void {
  const shown = () => [...data.subarray(0, 3)].join(", ") || "nothing";
  check(
    data.length === 1 && data[0] === count,
    () => `${where}: says ${shown()}, but there are ${count} ${what}`,
    DataError,
  );
}

function readBinary(files: FileSet): Parts {
  const { adjacency, features } = readAndClose(files.open("raw/data.npz"), (source) => {
    const npz = npzFrom(source);
    const graph = graphFromNpz(npz, fileStem(source.name));
    const counts = { num_nodes_list: graph.features.numRows, num_edges_list: npz.array("edge_index").shape[1] };
    for (const [member, count] of Object.entries(counts)) {
      if (!npz.has(member)) continue;
      const data = toCounts(npz.array(member), npz.where(member)) as Int32Array;
      checkCount({ data: Float64Array.from(data) }, npz.where(member), count, "of them");
    }
    return graph;
  });
  const labels = readAndClose(files.open("raw/node-label.npz"), (source) => {
    const npz = npzFrom(source);
    return toLabels(npz.array("node_label"), npz.where("node_label"));
  });
  return { adjacency, features, labels };
}

/** The one public split: `split/<kind>/{train,valid,test}.csv.gz`, where `<kind>` is time, sales_ranking or the like. */
export async function readSplit(files: FileSet, numNodes: number): Promise<Split | undefined> {
  const kind = files.list("split").find((name) => files.has(`split/${name}/train.csv.gz`));
  if (kind === undefined) {
    const folders = files.list("split");
    check(
      folders.length === 0,
      () => `${files.where("split")}: has ${folders.join(", ")}, but no <kind>/train.csv.gz`,
      DataError,
    );
    return undefined;
  }
  const read = async (set: string) => {
    const path = `split/${kind}/${set}.csv.gz`;
    return nodeColumn(await readNumbersOf(files, path), numNodes, files.where(path));
  };
  return { train: await read("train"), val: await read("valid"), test: await read("test") };
}

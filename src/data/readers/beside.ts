import { check, DataError } from "../../core/errors.ts";
import type { Features } from "../../graph/graph.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { readMatrixMarket } from "../formats/matrix-market.ts";
import { parseNpy } from "../formats/npy.ts";
import { npzFrom } from "../formats/npz.ts";
import { isScipyMatrix, readScipyMatrix } from "../formats/scipy-matrix.ts";
import { type IdSplit, idSplitOfJson, resolveSplit } from "../id-split.ts";
import { type NodeId, NodeIds } from "../node-ids.ts";
import type { Split } from "../splits.ts";
import { denseMatrix } from "./dense-matrix.ts";
import type { FeatureFile } from "./feature-file.ts";
import { type FileSet, readFileOf } from "./file-set.ts";
import { fileStem } from "./file-stem.ts";
import { type LabelFile, labelsOfArray } from "./label-file.ts";
import { readFeatureTable, readLabelTable } from "./tables.ts";

/** The contents of files beside the edges of a graph. */
export interface Beside {
  readonly features?: FeatureFile;
  readonly labels?: LabelFile;
  /** Ids of the nodes of each set. */
  readonly split?: IdSplit;
}

const TABLES = [...["csv", "tsv", "txt"].flatMap((text) => [text, `${text}.gz`]), "parquet"];
const ENDINGS = { features: ["npz", "npy", "mtx", "mtx.gz", ...TABLES], labels: ["npy", ...TABLES], split: ["json"] };

/** General names of edge files. Beside them lie plain `features.*` and `labels.*`, without the name of the graph. */
const PLAIN = /^(edges|adj|adjacency|graph)$/;

/**
 * Reads features, labels and split beside the edges at `path`: `features.npy` and `labels.csv` beside `edges.csv` or
 * `adj.npz`, `net.features.npz` and `net.labels.npy` beside `net.mtx`. Each of them is optional.
 */
export async function readBeside(files: FileSet, path: string): Promise<Beside> {
  const features = besidePath(files, path, "features");
  const labels = besidePath(files, path, "labels");
  const split = besidePath(files, path, "split");
  return {
    ...(split !== undefined && { split: idSplitOfJson(readFileOf(files, split), files.where(split)) }),
    ...(features !== undefined && { features: await readFeatures(files, features) }),
    ...(labels !== undefined && { labels: await readLabels(files, labels) }),
  };
}

/** Turns the ids of a split beside a graph into nodes. */
export function splitByIds(split: IdSplit, ids: ArrayLike<NodeId> | undefined, numNodes: number, where: string): Split {
  const all = ids ? NodeIds.of(ids, where) : NodeIds.numbered(numNodes, where);
  return resolveSplit(split, all, where).split;
}

function besidePath(files: FileSet, path: string, part: keyof typeof ENDINGS): string | undefined {
  const stem = fileStem(path);
  const prefix = PLAIN.test(stem) ? "" : `${stem}.`;
  return ENDINGS[part].map((ending) => `${prefix}${part}.${ending}`).find((candidate) => files.has(candidate));
}

async function readFeatures(files: FileSet, path: string): Promise<FeatureFile> {
  const where = files.where(path);
  if (path.endsWith(".npy")) return { features: denseMatrix(parseNpy(readFileOf(files, path), where), where) };
  const source = files.open(path);
  try {
    if (path.endsWith(".npz")) return { features: featuresOfNpz(source) };
    if (/\.mtx(\.gz)?$/.test(path)) return { features: await readMatrixMarket(source) };
    return await readFeatureTable(source);
  } finally {
    source.close();
  }
}

/** A matrix of scipy's `save_npz`, or the one array of numpy's `savez`. */
function featuresOfNpz(source: ByteSource): Features {
  const npz = npzFrom(source);
  if (isScipyMatrix(npz)) return readScipyMatrix(npz);
  check(npz.names.length === 1, () => `${npz.name}: must hold one matrix, got ${npz.names.join(", ")}`, DataError);
  return denseMatrix(npz.array(npz.names[0]), npz.where(npz.names[0]));
}

async function readLabels(files: FileSet, path: string): Promise<LabelFile> {
  const where = files.where(path);
  if (path.endsWith(".npy")) return labelsOfArray(parseNpy(readFileOf(files, path), where), where);
  const source = files.open(path);
  try {
    return await readLabelTable(source);
  } finally {
    source.close();
  }
}

import { check, DataError } from "../core/errors.ts";
import { readAndClose } from "./formats/byte-source.ts";
import { readMatrixMarket } from "./formats/matrix-market.ts";
import { unpackedText } from "./formats/text-table.ts";
import type { NodeId } from "./node-ids.ts";
import type { RawGraph } from "./raw-graph.ts";
import { type Beside, readBeside, splitByIds } from "./readers/beside.ts";
import { hasCsvGraph, isEdgeList, readCsvFiles } from "./readers/csv-graph.ts";
import { type FileSet, readFileOf } from "./readers/file-set.ts";
import { fileStem, lastPart } from "./readers/file-stem.ts";
import { readGraphMl } from "./readers/graphml.ts";
import { noFeatures } from "./readers/no-features.ts";
import { readNodeLink } from "./readers/node-link.ts";
import { hasNpyFiles, readNpyFiles } from "./readers/npy-folder.ts";
import { readNpzGraph } from "./readers/npz-graph.ts";
import { hasOgb, readOgb } from "./readers/ogb.ts";
import { onlyPlanetoidSet, planetoidSetOf, readPlanetoid } from "./readers/planetoid.ts";
import { readTorchGraph } from "./readers/torch-graph.ts";

/** Endings of files that hold a graph of their own. `isEdgeList` knows those of edge lists. */
const SUFFIXES = /\.(npz|zip|mtx(\.gz)?|graphml(\.gz)?|json|pt|pth)$/;

/** What can be read, for errors and help texts. */
export const READABLE =
  "an edge list (.csv, .tsv, .txt, .edgelist, .edges, also .gz, .parquet), .npz or .zip, .mtx, .graphml, .json (node-link), .pt (PyTorch Geometric), or a folder";

/** True for a name that ends like that of a graph file. */
export function looksLikeGraph(path: string): boolean {
  return SUFFIXES.test(path) || isEdgeList(path);
}

/**
 * Reads the one graph in a set of files, in any of the known layouts, without preprocessing.
 *
 * @example
 * const raw = await readGraphFiles(await droppedFiles(event.dataTransfer.files));
 * const { graph } = preprocess(raw);
 */
export async function readGraphFiles(files: FileSet): Promise<RawGraph> {
  const set = onlyPlanetoidSet(files);
  if (set !== undefined) return readPlanetoid(files, set);
  if (hasOgb(files)) return readOgb(files);
  if (hasNpyFiles(files)) return readNpyFiles(files);
  if (hasCsvGraph(files)) return readCsvFiles(files);
  const all = files.list("").filter((file) => SUFFIXES.test(file) && !/(^|\.)(features|labels)\./.test(file));
  if (all.length === 1) return readGraphFile(files, all[0]);
  const found = all.length > 1 ? `several graphs (${all.join(", ")}); name one` : "no graph";
  throw new DataError(
    `${files.name}: holds ${found}; a folder may hold edges.csv or edges.parquet, one .npz, .mtx, .graphml, .json or .pt, ind.*.graph, raw/edge.csv.gz or raw/data.npz`,
  );
}

/**
 * Reads the graph that one file of a set holds or belongs to: an archive, an edge list, or a part of a Planetoid set.
 */
export async function readGraphFile(files: FileSet, path: string): Promise<RawGraph> {
  const set = planetoidSetOf(path);
  if (set !== undefined) return readPlanetoid(files, set);
  if (isEdgeList(path)) return readCsvFiles(files, path);
  const where = files.where(path);
  const name = fileStem(path);
  if (/\.(npz|zip)$/.test(path)) return complete(files, path, readAndClose(files.open(path), readNpzGraph));
  if (/\.mtx(\.gz)?$/.test(path)) return complete(files, path, await readMatrix(files, path));
  if (/\.graphml(\.gz)?$/.test(path)) return readGraphMl(await textOf(files, path), name, where);
  if (path.endsWith(".json")) return readNodeLink(readFileOf(files, path), name, where);
  if (/\.pth?$/.test(path)) return readAndClose(files.open(path), readTorchGraph);
  throw new DataError(`${where}: ${quoteEnding(path)} is not read; it can be ${READABLE}`);
}

function quoteEnding(path: string): string {
  const ending = /\.[^.]*$/.exec(lastPart(path))?.[0];
  return ending === undefined ? "a file without an ending" : `a file that ends in ${ending}`;
}

async function readMatrix(files: FileSet, path: string): Promise<RawGraph> {
  const source = files.open(path);
  try {
    const adjacency = await readMatrixMarket(source);
    const { numRows } = adjacency;
    const labels = new Int32Array(numRows).fill(-1);
    return { name: fileStem(path), where: source.name, adjacency, features: noFeatures(numRows), labels };
  } finally {
    source.close();
  }
}

async function textOf(files: FileSet, path: string): Promise<string> {
  const source = files.open(path);
  try {
    return await unpackedText(source);
  } finally {
    source.close();
  }
}

/** Adds the features, labels and split from files beside its own, if a graph's own file has edges only. */
async function complete(files: FileSet, path: string, raw: RawGraph): Promise<RawGraph> {
  const alone = raw.features.numCols === 0 && raw.labels.every((label) => label < 0);
  if (!alone) return raw;
  const { features, labels, split }: Beside = await readBeside(files, path);
  const ids = features?.ids ?? labels?.ids;
  const numNodes = raw.adjacency.numRows;
  checkRowOrder(raw.where, features?.ids, labels?.ids);
  return {
    ...raw,
    ...(features && { features: features.features }),
    ...(labels && { labels: labels.labels }),
    ...(labels?.classes && { classes: labels.classes }),
    ...(ids && { ids }),
    ...(split && { splits: { public: splitByIds(split, ids, numNodes, raw.where) } }),
  };
}

/** Throws if ids show that features and labels are not in the order of the matrix, whose rows have no ids. */
function checkRowOrder(where: string, features?: readonly NodeId[], labels?: readonly NodeId[]): void {
  const ids = features ?? labels ?? [];
  const other = labels?.findIndex((id, row) => id !== ids[row]) ?? -1;
  check(other < 0, () => `${where}: row ${other} of features and labels beside it must have the same id`, DataError);
  const numbers = ids.length > 0 && new Set(ids).size === ids.length && ids.every((id) => Number(id) < ids.length);
  const moved = numbers && typeof ids[0] === "number" ? ids.findIndex((id, row) => id !== row) : -1;
  check(
    moved < 0,
    () =>
      `${where}: beside it, node ${ids[moved]} comes in row ${moved}; sort features and labels as the matrix is sorted`,
    DataError,
  );
}

import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries, mergeDuplicates } from "../../graph/csr.ts";
import { type DenseMatrix, type Features, isSparse } from "../../graph/graph.ts";
import { sparseRows } from "../../graph/sparse-rows.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { csrFromArrays } from "../formats/csr-from-arrays.ts";
import { toCounts, toFloat32, toIds, toInt32 } from "../formats/npy-cast.ts";
import { type Npz, npzFrom } from "../formats/npz.ts";
import { isObject } from "../formats/pickle-globals.ts";
import { isScipyMatrix, readScipyMatrix } from "../formats/scipy-matrix.ts";
import type { RawGraph } from "../raw-graph.ts";
import { classesOfTexts } from "../renumber-labels.ts";
import type { Split } from "../splits.ts";
import { FORMAT_MEMBER } from "../writers/npz-graph.ts";
import { denseMatrix } from "./dense-matrix.ts";
import { fileStem } from "./file-stem.ts";
import { type LabelFile, labelsOfArray } from "./label-file.ts";
import { splitsOfMasks } from "./mask-splits.ts";
import { noFeatures } from "./no-features.ts";

/** Reads a graph from an .npz file (or a .zip around one) in any of the usual layouts. */
export function readNpzGraph(source: ByteSource): RawGraph {
  return graphFromNpz(npzFrom(source), fileStem(source.name));
}

export function graphFromNpz(npz: Npz, name: string): RawGraph {
  if (isScipyMatrix(npz)) return matrixAlone(npz, name);
  const layout = EDGE_LAYOUTS.find(({ edges, features }) => npz.has(edges) && npz.has(features));
  if (layout) return fromEdges(npz, name, layout);
  const pickled = ["adj", "adjacency", "adj_matrix", "A"].find((member) => npz.has(member));
  return pickled === undefined ? fromCsr(npz, name) : fromObjects(npz, name, pickled);
}

/** A matrix of scipy's `save_npz`: edges, and nothing else. */
function matrixAlone(npz: Npz, name: string): RawGraph {
  const adjacency = readScipyMatrix(npz);
  const { numRows } = adjacency;
  const labels = new Int32Array(numRows).fill(-1);
  return { name, where: npz.name, adjacency, features: noFeatures(numRows), labels };
}

/**
 * `adj_matrix.*`/`adj_*`, `attr_matrix.*`/`attr_*` and `labels`: the layout of most citation and co-purchase graphs.
 */
function fromCsr(npz: Npz, name: string): RawGraph {
  const adjacency = readCsr(npz, ["adj_matrix.", "adj_", "adj_matrix_", "adj."]);
  const labels = readLabels(npz, ["labels"]);
  return {
    name,
    where: npz.name,
    adjacency,
    features: npz.has("attr_matrix")
      ? readDense(npz, "attr_matrix")
      : readCsr(npz, ["attr_matrix.", "attr_", "attr_matrix_", "attr."]),
    ...labels,
    ...readSplits(npz, adjacency.numRows),
    ...readContext(npz, labels.labels),
  };
}

/** Whole matrices, as `np.savez(file, adj=A, features=X, labels=y)` stores them: those of scipy as pickles. */
function fromObjects(npz: Npz, name: string, edges: string): RawGraph {
  const adjacency = sparse(matrixOf(npz, edges));
  const features = ["features", "attr_matrix", "attr", "feat", "X", "x"].find((member) => npz.has(member));
  const labels = ["labels", "label", "y"].filter((member) => npz.has(member));
  return {
    name,
    where: npz.name,
    adjacency,
    features: features === undefined ? noFeatures(adjacency.numRows) : matrixOf(npz, features),
    ...(labels.length > 0 ? readLabels(npz, labels) : { labels: new Int32Array(adjacency.numRows).fill(-1) }),
    ...readSplits(npz, adjacency.numRows),
  };
}

/** A member that is a matrix, stored as an array or as a pickled scipy matrix. */
function matrixOf(npz: Npz, member: string): Features {
  if (!npz.holdsObjects(member)) return readDense(npz, member);
  const [value] = npz.objects(member);
  const matrix = isObject(value) ? value.csr : undefined;
  check(matrix !== undefined, () => `${npz.where(member)}: must hold a scipy matrix in csr or csc format`, DataError);
  return matrix;
}

function sparse(matrix: Features): Csr {
  return isSparse(matrix) ? matrix : sparseRows(matrix);
}

/** Labels that are numbers, text or pickled text. */
function readLabels(npz: Npz, members: readonly string[]): LabelFile {
  const member = members.find((candidate) => npz.has(candidate)) ?? members[0];
  if (!npz.has(member) || !npz.holdsObjects(member)) {
    const array = npz.array(member);
    return labelsOfArray(array, npz.where(member));
  }
  const texts = npz.objects(member).map((value) => (value === null ? "" : String(value)));
  return classesOfTexts(texts);
}

/** The four members `<prefix>data`, `indices`, `indptr` and `shape`, with the first of the prefixes that is there. */
function readCsr(npz: Npz, prefixes: readonly string[]): Csr {
  const prefix = prefixes.find((candidate) => npz.has(`${candidate}indptr`));
  check(
    prefix !== undefined,
    () => `${npz.name}: needs a CSR matrix such as ${prefixes[0]}indptr, or edges; it has ${npz.names.join(", ")}`,
    DataError,
  );
  const where = npz.where(prefix.slice(0, -1));
  const shape = toCounts(npz.array(`${prefix}shape`), npz.where(`${prefix}shape`));
  const rowPtr = toCounts(npz.array(`${prefix}indptr`), npz.where(`${prefix}indptr`));
  const colIdx = toInt32(npz.array(`${prefix}indices`), npz.where(`${prefix}indices`));
  const values = toFloat32(npz.array(`${prefix}data`), npz.where(`${prefix}data`));
  return csrFromArrays({ shape: [...shape], rowPtr, colIdx, values }, where);
}

/**
 * Layouts of a list of edges with dense features. The heterophilous graphs have `edges`, [m, 2]. OGB's binary files
 * have `edge_index`, [2, m], and keep the labels in another file. The last layout has the names of PyTorch Geometric.
 */
const EDGE_LAYOUTS = [
  { edges: "edges", features: "node_features", labels: "node_labels" },
  { edges: "edge_index", features: "node_feat", labels: "node_label" },
  { edges: "edge_index", features: "x", labels: "y" },
] as const;

function fromEdges(npz: Npz, name: string, members: (typeof EDGE_LAYOUTS)[number]): RawGraph {
  const features = readDense(npz, members.features);
  const labels = npz.has(members.labels)
    ? readLabels(npz, [members.labels])
    : { labels: new Int32Array(features.numRows).fill(-1) };
  const adjacency = readEdges(npz, members.edges, features.numRows);
  return { name, where: npz.name, adjacency, features, ...labels, ...readSplits(npz, adjacency.numRows) };
}

function readEdges(npz: Npz, member: string, numNodes: number): Csr {
  const array = npz.array(member);
  const where = npz.where(member);
  const [first, second] = array.shape;
  const pairs = array.shape.length === 2 && member === "edges" && second === 2;
  const lists = array.shape.length === 2 && member === "edge_index" && first === 2;
  check(
    pairs || lists,
    () => `${where}: shape must be ${member === "edges" ? "(m, 2)" : "(2, m)"}, got (${array.shape.join(", ")})`,
    DataError,
  );
  const ids = toInt32(array, where);
  const bad = ids.findIndex((id) => id < 0 || id >= numNodes);
  check(bad < 0, () => `${where}: node ${ids[bad]} at position ${bad} must be in 0 … ${numNodes - 1}`, DataError);
  const half = ids.length / 2;
  const rows = lists ? ids.subarray(0, half) : everySecond(ids, 0);
  const cols = lists ? ids.subarray(half) : everySecond(ids, 1);
  return mergeDuplicates(csrFromEntries(numNodes, numNodes, rows, cols));
}

function everySecond(ids: Int32Array, first: number): Int32Array {
  const out = new Int32Array(ids.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = ids[2 * i + first];
  return out;
}

function readDense(npz: Npz, member: string): DenseMatrix {
  return denseMatrix(npz.array(member), npz.where(member));
}

/**
 * Lists of nodes (`idx_train`, …) or one mask (`train_mask`, …) are the public split; columns of masks, and the rows of
 * `train_masks`, …, are numbered splits.
 */
function readSplits(npz: Npz, numNodes: number): { splits?: Record<string, Split> } {
  const sets = ["train", "val", "test"] as const;
  if (sets.every((set) => npz.has(`idx_${set}`))) {
    const nodes = (member: string) => toInt32(npz.array(member), npz.where(member));
    return { splits: { public: { train: nodes("idx_train"), val: nodes("idx_val"), test: nodes("idx_test") } } };
  }
  if (sets.every((set) => npz.has(`${set}_mask`))) {
    const [train, val, test] = sets.map((set) => npz.array(`${set}_mask`));
    return { splits: splitsOfMasks({ train, val, test }, numNodes, npz.name) };
  }
  if (!sets.every((set) => npz.has(`${set}_masks`))) return {};
  const train = readMasks(npz, "train_masks");
  const val = readMasks(npz, "val_masks");
  const test = readMasks(npz, "test_masks");
  const same = train.length === val.length && val.length === test.length;
  check(
    same,
    () => `${npz.name}: ${train.length} train, ${val.length} val and ${test.length} test masks must be as many`,
    DataError,
  );
  const splits: Record<string, Split> = {};
  for (const [i, nodes] of train.entries()) splits[`mask-${i}`] = { train: nodes, val: val[i], test: test[i] };
  return { splits };
}

/** The nodes that each row of a boolean matrix marks; a vector is one row. */
function readMasks(npz: Npz, member: string): Int32Array[] {
  const { shape, data, dtype } = npz.array(member);
  const where = npz.where(member);
  check(
    (shape.length === 1 || shape.length === 2) && dtype === "b1",
    () => `${where}: must be booleans (splits, nodes), got ${dtype} (${shape.join(", ")})`,
    DataError,
  );
  check(data.length > 0, () => `${where}: must not be empty`, DataError);
  const numNodes = shape[shape.length - 1];
  return Array.from({ length: data.length / numNodes }, (_, i) => {
    const row = data.subarray(i * numNodes, (i + 1) * numNodes) as Uint8Array;
    return Int32Array.from(row.keys()).filter((node) => row[node] === 1);
  });
}

/** What a file may hold besides matrices: ids of nodes, names of classes, and whatever `formatNpzGraph` adds. */
function readContext(npz: Npz, labels: Int32Array): Partial<RawGraph> {
  const written = npz.has(FORMAT_MEMBER);
  const classes = readClassNames(npz);
  const enough = classes !== undefined && labels.every((label) => label < classes.length);
  return {
    ...(npz.has("node_ids") && { ids: toIds(npz.array("node_ids"), npz.where("node_ids")) }),
    ...(enough && { classes }),
    ...(written && { allComponents: true, directed: npz.array("directed").data[0] === 1 }),
  };
}

/** The names of classes 0, 1, … Published files have them as text or as pickled text; the latter is ignored. */
function readClassNames(npz: Npz): readonly string[] | undefined {
  if (!npz.has("class_names") || npz.holdsObjects("class_names")) return undefined;
  return npz.array("class_names").texts;
}

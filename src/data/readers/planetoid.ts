import { check, DataError } from "../../core/errors.ts";
import { allocRowPtr, type Csr, csrFromEntries, mergeDuplicates } from "../../graph/csr.ts";
import type { NpyArray } from "../formats/npy.ts";
import { parsePickle } from "../formats/pickle.ts";
import { isObject, type PickleValue } from "../formats/pickle-globals.ts";
import { quote } from "../formats/printable.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type FileSet, readFileOf } from "./file-set.ts";

const PARTS = ["y", "tx", "ty", "allx", "ally", "graph", "test.index"] as const;
/** The public split validates on this many nodes, right after the training nodes. */
const NUM_VALIDATION = 500;

/**
 * Planetoid files `ind.<name>.*`: `allx`/`ally` are the nodes outside the test set, `tx`/`ty` the test nodes in the order
 * of `test.index`. Test ids that `test.index` leaves out (15 in Citeseer) have no features and no label.
 *
 * @param set name of the files up to the part, such as `ind.cora`
 */
export function readPlanetoid(files: FileSet, set: string): RawGraph {
  const path = (part: (typeof PARTS)[number]) => files.where(`${set}.${part}`);
  const pickle = (part: (typeof PARTS)[number]) => parsePickle(readFileOf(files, `${set}.${part}`), path(part));
  const allx = matrixOf(pickle("allx"), path("allx"));
  const tx = matrixOf(pickle("tx"), path("tx"));
  const ally = classesOf(pickle("ally"), path("ally"));
  const ty = classesOf(pickle("ty"), path("ty"));
  const test = testIndex(readFileOf(files, `${set}.test.index`), path("test.index"));
  const numTrain = classesOf(pickle("y"), path("y")).labels.length;
  const { rows, cols, numNodes } = entriesOf(pickle("graph"), path("graph"));
  const agree = (name: string, got: number, expected: number, of: string) =>
    check(got === expected, () => `${path(name as "tx")}: ${got} rows, must be ${expected} as ${of}`, DataError);
  agree("ally", ally.labels.length, allx.numRows, "in allx");
  agree("tx", tx.numRows, test.length, "ids in test.index");
  agree("ty", ty.labels.length, test.length, "ids in test.index");
  check(
    tx.numCols === allx.numCols,
    () => `${path("tx")}: ${tx.numCols} features, allx has ${allx.numCols}`,
    DataError,
  );
  check(
    ty.numClasses === ally.numClasses,
    () => `${path("ty")}: ${ty.numClasses} classes, ally has ${ally.numClasses}`,
    DataError,
  );
  check(
    numTrain + NUM_VALIDATION <= allx.numRows || allx.numRows < NUM_VALIDATION,
    () =>
      `${path("y")}: ${numTrain} training nodes leave fewer than ${NUM_VALIDATION} of ${allx.numRows} for validation`,
    DataError,
  );
  const position = placeTestNodes(test, allx.numRows, numNodes, path("test.index"));
  const labels = new Int32Array(numNodes).fill(-1);
  labels.set(ally.labels);
  for (let i = 0; i < test.length; i++) labels[test[i]] = ty.labels[i];
  const range = (from: number, to: number) => Int32Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const numVal = Math.min(numTrain + NUM_VALIDATION, allx.numRows);
  return {
    name: set.replace(/^ind\./, ""),
    where: files.where(set),
    adjacency: mergeDuplicates(csrFromEntries(numNodes, numNodes, rows, cols)),
    features: stackRows(allx, tx, position, numNodes),
    labels,
    numClasses: ally.numClasses,
    splits: { public: { train: range(0, numTrain), val: range(numTrain, numVal), test: test.slice().sort() } },
  };
}

/** The set to which a file belongs by its name: `ind.cora` for `ind.cora.allx`. */
export function planetoidSetOf(path: string): string | undefined {
  return /^(ind\.[^.]+)\.\w+/.exec(path)?.[1];
}

/** The set whose files are there; several are an error. */
export function onlyPlanetoidSet(files: FileSet): string | undefined {
  const sets = files
    .list("")
    .filter((file) => /^ind\..+\.graph$/.test(file))
    .map((file) => file.slice(0, -".graph".length));
  check(
    sets.length <= 1,
    () => `${files.name}: holds several sets (${sets.join(", ")}); name one, such as ${files.where(sets[0])}`,
    DataError,
  );
  return sets[0];
}

function matrixOf(value: PickleValue, path: string): Csr {
  const csr = isObject(value) ? value.csr : undefined;
  check(csr !== undefined, () => `${path}: must hold a scipy CSR matrix`, DataError);
  return csr;
}

/** Class of each row of a 0/1 matrix; a row of zeros has none. */
function classesOf(value: PickleValue, path: string): { labels: Int32Array; numClasses: number } {
  const array: NpyArray | undefined = isObject(value) ? value.array : undefined;
  check(
    array !== undefined && array.shape.length === 2,
    () => `${path}: must hold a numpy matrix of one-hot labels`,
    DataError,
  );
  const [numRows, numClasses] = array.shape as [number, number];
  const labels = new Int32Array(array.data.length === 0 ? 0 : numRows).fill(-1);
  for (let at = 0; at < array.data.length; at++) {
    const row = Math.floor(at / numClasses);
    const value = Number(array.data[at]);
    if (value === 0) continue;
    check(
      value === 1 && labels[row] === -1,
      () => `${path}: row ${row} must hold at most one 1, got ${value} in column ${at % numClasses}`,
      DataError,
    );
    labels[row] = at % numClasses;
  }
  return { labels, numClasses };
}

function testIndex(bytes: Uint8Array, path: string): Int32Array {
  const lines = new TextDecoder("latin1")
    .decode(bytes)
    .split("\n")
    .map((line) => line.trim());
  while (lines.at(-1) === "") lines.pop();
  const bad = lines.findIndex((line) => !/^\d{1,9}$/.test(line));
  check(bad < 0, () => `${path}: line ${bad + 1} must be a node id, got ${quote(lines[bad])}`, DataError);
  return Int32Array.from(lines, Number);
}

/** The entries of the dictionary node → list of neighbours. */
function entriesOf(graph: PickleValue, path: string): { rows: number[]; cols: number[]; numNodes: number } {
  check(graph instanceof Map, () => `${path}: must hold a dictionary from node to neighbours`, DataError);
  const numNodes = graph.size;
  const rows: number[] = [];
  const cols: number[] = [];
  const isNode = (id: PickleValue): id is number =>
    Number.isInteger(id) && (id as number) >= 0 && (id as number) < numNodes;
  const shown = (id: PickleValue) => (typeof id === "number" ? String(id) : `a ${typeof id}`);
  for (const [node, neighbours] of graph) {
    check(isNode(node), () => `${path}: node ${shown(node)} must be in 0 … ${numNodes - 1}`, DataError);
    check(Array.isArray(neighbours), () => `${path}: neighbours of node ${node} must be a list`, DataError);
    for (const neighbour of neighbours) {
      check(
        isNode(neighbour),
        () => `${path}: neighbour ${shown(neighbour)} of node ${node} must be in 0 … ${numNodes - 1}`,
        DataError,
      );
      rows.push(node);
      cols.push(neighbour);
    }
  }
  return { rows, cols, numNodes };
}

/** For every node from `numKnown` on, its row in the test matrices, or −1. */
function placeTestNodes(test: Int32Array, numKnown: number, numNodes: number, path: string): Int32Array {
  check(
    numKnown <= numNodes,
    () => `${path}: ${numKnown} nodes have features, but the graph has ${numNodes}`,
    DataError,
  );
  const position = new Int32Array(numNodes - numKnown).fill(-1);
  for (let i = 0; i < test.length; i++) {
    const at = test[i] - numKnown;
    check(
      at >= 0 && at < position.length,
      () => `${path}: test id ${test[i]} must be in ${numKnown} … ${numNodes - 1}`,
      DataError,
    );
    check(position[at] === -1, () => `${path}: test id ${test[i]} is there twice`, DataError);
    position[at] = i;
  }
  return position;
}

/** The rows of `known`, followed by the rows of `test` that `position` names; −1 stands for an empty row. */
function stackRows(known: Csr, test: Csr, position: Int32Array, numNodes: number): Csr {
  const size = known.colIdx.length + test.colIdx.length;
  const colIdx = new Int32Array(size);
  const values = new Float32Array(size);
  const rowPtr = allocRowPtr(numNodes, size);
  rowPtr.set(known.rowPtr);
  colIdx.set(known.colIdx);
  values.set(known.values!);
  for (let p = 0; p < position.length; p++) {
    const to = rowPtr[known.numRows + p];
    const row = position[p];
    const begin = row < 0 ? 0 : test.rowPtr[row];
    const end = row < 0 ? 0 : test.rowPtr[row + 1];
    colIdx.set(test.colIdx.subarray(begin, end), to);
    values.set(test.values!.subarray(begin, end), to);
    rowPtr[known.numRows + p + 1] = to + end - begin;
  }
  return { numRows: numNodes, numCols: known.numCols, rowPtr, colIdx, values };
}

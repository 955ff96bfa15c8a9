// The workspace in which a thread keeps the rows that a change reaches. It has two lists of nodes with a row of floats
// each, and every node's place in the list: the inputs that changed, and the sums that they change. Behind them are the
// changes of degrees.

/** Bytes before the places of a list. A list has its number of nodes, every node's place, its nodes and their rows. */
const COUNT: usize = 16;

/** Bytes of a workspace for `n` nodes with up to `floats` floats per row. */
export function patchBytes(n: i32, floats: i32): f64 {
  const list = <f64>COUNT + <f64>n * 8 + 15 + <f64>n * <f64>floats * 4;
  return 2 * list + (<f64>n + <f64>floats) * 4;
}

function listBytes(n: i32, floats: i32): usize {
  return COUNT + ((((<usize>n) << 3) + 15) & ~15) + ((<usize>n * <usize>floats) << 2);
}

let nodes: i32 = 0;
let inputs: usize = 0;
let sums: usize = 0;
let degreeChanges: usize = 0;
/** Room for one row. */
let spareRow: usize = 0;

/** The functions below use this workspace from now on. All of it except the rows must be 0. */
export function openPatch(workspace: usize, n: i32, floats: i32): void {
  nodes = n;
  inputs = workspace;
  sums = workspace + listBytes(n, floats);
  degreeChanges = sums + listBytes(n, floats);
  spareRow = degreeChanges + ((<usize>n) << 2);
}

export function changedInputs(): usize {
  return inputs;
}

export function changedSums(): usize {
  return sums;
}

export function spare(): usize {
  return spareRow;
}

/** Address of the change of a node's degree. */
export function degreeChange(node: u32): usize {
  return degreeChanges + ((<usize>node) << 2);
}

/** How many nodes are in a list. */
export function countOf(list: usize): u32 {
  return load<u32>(list);
}

export function nodeAt(list: usize, place: u32): u32 {
  return load<u32>(list + COUNT + ((<usize>nodes + place) << 2));
}

/** Row of the k-th node of a list. */
export function rowAt(list: usize, place: u32, bytes: usize): usize {
  return list + COUNT + ((((<usize>nodes) << 3) + 15) & ~15) + <usize>place * bytes;
}

/** Place of a node in a list plus one, 0 if it is not there. */
export function placeOf(list: usize, node: u32): u32 {
  return load<u32>(list + COUNT + ((<usize>node) << 2));
}

/**
 * The row of a node in a list. If the node is not there yet, it is added with a copy of `from` as its row; with 0 for
 * `from`, a new row is not initialised.
 */
export function rowOf(list: usize, node: u32, from: usize, bytes: usize): usize {
  const place = placeOf(list, node);
  if (place) return rowAt(list, place - 1, bytes);
  const count = countOf(list);
  store<u32>(list, count + 1);
  store<u32>(list + COUNT + ((<usize>node) << 2), count + 1);
  store<u32>(list + COUNT + ((<usize>nodes + count) << 2), node);
  const row = rowAt(list, count, bytes);
  if (from) memory.copy(row, from, bytes);
  return row;
}

/** Empties a list. */
export function clear(list: usize): void {
  const count = countOf(list);
  for (let k: u32 = 0; k < count; k++) store<u32>(list + COUNT + ((<usize>nodeAt(list, k)) << 2), 0);
  store<u32>(list, 0);
}

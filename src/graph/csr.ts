import { check, DataError } from "../core/errors.ts";

/**
 * A sparse matrix in compressed rows: row i holds entries `rowPtr[i]` … `rowPtr[i + 1] − 1`, columns ascending and
 * distinct (rule G2). `values: null` means every stored entry is 1. Row pointers are doubles if there are too many
 * entries for 32-bit integers.
 */
export interface Csr {
  readonly numRows: number;
  readonly numCols: number;
  readonly rowPtr: Int32Array | Float64Array;
  readonly colIdx: Int32Array;
  readonly values: Float32Array | null;
}

/** Number of stored entries. */
export function numEntries(A: Csr): number {
  return A.rowPtr[A.numRows];
}

/** Zeroed row pointers for a matrix with up to `entries` entries. */
export function allocRowPtr(numRows: number, entries: number): Int32Array | Float64Array {
  return entries < 2 ** 31 ? new Int32Array(numRows + 1) : new Float64Array(numRows + 1);
}

/** Throws a one-line error that names `where` and the first violation of the format. */
export function checkCsr(A: Csr, where: string): void {
  const { numRows, numCols, rowPtr, colIdx, values } = A;
  const fail = (message: string): never => {
    throw new DataError(`${where}: ${message}`);
  };
  if (rowPtr.length !== numRows + 1) fail(`row pointers must have length ${numRows + 1}, got ${rowPtr.length}`);
  if (rowPtr[0] !== 0) fail(`row pointers must start at 0, got ${rowPtr[0]}`);
  if (rowPtr[numRows] !== colIdx.length)
    fail(`row pointers end at ${rowPtr[numRows]}, but there are ${colIdx.length} entries`);
  if (values && values.length !== colIdx.length) fail(`${values.length} values for ${colIdx.length} entries`);
  for (let i = 0; i < numRows; i++) {
    const begin = rowPtr[i];
    const end = rowPtr[i + 1];
    if (end < begin) fail(`row pointers must not decrease, got ${begin} then ${end} at row ${i}`);
    if (end > colIdx.length) fail(`row pointer ${end} of row ${i} is beyond the ${colIdx.length} entries`);
    for (let e = begin; e < end; e++) {
      const j = colIdx[e];
      if (j < 0 || j >= numCols) fail(`column ${j} in row ${i} must be in 0 … ${numCols - 1}`);
      if (e > begin && j <= colIdx[e - 1]) fail(`columns of row ${i} must ascend, got ${colIdx[e - 1]} then ${j}`);
    }
  }
}

/** True if `A` stores entry (i, j); binary search in the row. */
export function hasEntry(A: Csr, i: number, j: number): boolean {
  return findEntry(A, i, j) >= 0;
}

/** Position of entry (i, j) in `colIdx`, or −1. */
export function findEntry(A: Csr, i: number, j: number): number {
  let low = A.rowPtr[i];
  let high = A.rowPtr[i + 1] - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const column = A.colIdx[middle];
    if (column === j) return middle;
    if (column < j) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/**
 * Builds a matrix from entries `(rows[e], cols[e])` in any order, by two stable counting sorts: columns first, then
 * rows. Repeated entries are merged; if there were any, `numEntries` of the result is below `rows.length`.
 */
export function csrFromEntries(
  numRows: number,
  numCols: number,
  rows: ArrayLike<number>,
  cols: ArrayLike<number>,
  values: ArrayLike<number> | null = null,
): Csr {
  check(rows.length === cols.length, () => `csrFromEntries: ${rows.length} rows for ${cols.length} columns`);
  checkRange(rows, numRows, "row");
  checkRange(cols, numCols, "column");
  const byColumn = bucket(numCols, cols, null);
  return mergeDuplicates(sortedRows({ numRows, numCols, rows, cols, values }, byColumn.order));
}

/** Merges repeated columns in rows that are sorted already: values add up, unweighted entries stay 1. */
export function mergeDuplicates(A: Csr): Csr {
  const repeated = countDuplicates(A);
  if (repeated === 0) return A;
  const size = A.colIdx.length - repeated;
  const rowPtr = allocRowPtr(A.numRows, size);
  const colIdx = new Int32Array(size);
  const values = A.values ? new Float32Array(size) : null;
  let at = 0;
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) {
      const repeats = e > A.rowPtr[i] && A.colIdx[e] === A.colIdx[e - 1];
      if (!repeats) colIdx[at++] = A.colIdx[e];
      if (values) values[at - 1] += A.values![e];
    }
    rowPtr[i + 1] = at;
  }
  return { ...A, rowPtr, colIdx, values };
}

function countDuplicates({ numRows, rowPtr, colIdx }: Csr): number {
  let repeated = 0;
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i] + 1; e < rowPtr[i + 1]; e++) if (colIdx[e] === colIdx[e - 1]) repeated++;
  }
  return repeated;
}

function checkRange(indices: ArrayLike<number>, bound: number, what: string): void {
  for (let e = 0; e < indices.length; e++) {
    const index = indices[e];
    if (!(index >= 0 && index < bound)) {
      throw new DataError(`csrFromEntries: ${what} ${index} of entry ${e} must be in 0 … ${bound - 1}`);
    }
  }
}

interface Entries {
  readonly numRows: number;
  readonly numCols: number;
  readonly rows: ArrayLike<number>;
  readonly cols: ArrayLike<number>;
  readonly values: ArrayLike<number> | null;
}

/** Sorts entries into their rows. `order` visits them by ascending column, and the sort is stable, so columns ascend. */
function sortedRows({ numRows, numCols, rows, cols, values }: Entries, order: Int32Array): Csr {
  const { pointers, order: placed } = bucket(numRows, rows, order);
  const colIdx = new Int32Array(rows.length);
  const out = values ? new Float32Array(rows.length) : null;
  for (let e = 0; e < placed.length; e++) {
    colIdx[e] = cols[placed[e]];
    if (out) out[e] = values![placed[e]];
  }
  return { numRows, numCols, rowPtr: pointers, colIdx, values: out };
}

/** One pass of a radix sort: the entries in ascending order of `keys`, stable, and where each key begins. */
function bucket(numKeys: number, keys: ArrayLike<number>, visit: Int32Array | null) {
  const pointers = new Int32Array(numKeys + 1);
  for (let e = 0; e < keys.length; e++) pointers[keys[e] + 1]++;
  for (let i = 0; i < numKeys; i++) pointers[i + 1] += pointers[i];
  const next = pointers.slice();
  const order = new Int32Array(keys.length);
  for (let t = 0; t < keys.length; t++) {
    const e = visit ? visit[t] : t;
    order[next[keys[e]]++] = e;
  }
  return { pointers, order };
}

/** Aᵀ, with ascending columns in each row. */
export function transpose(A: Csr): Csr {
  const rowPtr = allocRowPtr(A.numCols, A.colIdx.length);
  for (let e = 0; e < A.colIdx.length; e++) rowPtr[A.colIdx[e] + 1]++;
  for (let j = 0; j < A.numCols; j++) rowPtr[j + 1] += rowPtr[j];
  const next = rowPtr.slice();
  const colIdx = new Int32Array(A.colIdx.length);
  const values = A.values ? new Float32Array(A.colIdx.length) : null;
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) {
      const at = next[A.colIdx[e]]++;
      colIdx[at] = i;
      if (values) values[at] = A.values![e];
    }
  }
  return { numRows: A.numCols, numCols: A.numRows, rowPtr, colIdx, values };
}

/**
 * True if entry (j, i) is stored wherever (i, j) is. Going through rows i in order, the entries (i, j) of a column j come
 * with ascending i, which is the order of row j. So one cursor per row suffices, and nothing is transposed.
 */
export function isSymmetric(A: Csr): boolean {
  if (A.numRows !== A.numCols) return false;
  const cursor = A.rowPtr.slice();
  for (let i = 0; i < A.numRows; i++) {
    for (let e = A.rowPtr[i]; e < A.rowPtr[i + 1]; e++) {
      const j = A.colIdx[e];
      const mirror = cursor[j]++;
      if (mirror >= A.rowPtr[j + 1] || A.colIdx[mirror] !== i) return false;
    }
  }
  return true;
}

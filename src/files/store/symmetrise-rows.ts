import type { CsrBlock, CsrFiles } from "./csr-files.ts";
import { type Entries, type SortOptions, sortEntries } from "./sort-entries.ts";
import type { StoreWriter } from "./store-writer.ts";

const ROWS = 8192;

/**
 * Writes the parts `rowPointers` and `columns` of `[A + Aᵀ > 0]` for a matrix in files: sorts the mirrored entries on
 * the disk and merges them row by row with the original ones. Returns the number of entries.
 */
export function symmetriseRows(writer: StoreWriter, matrix: CsrFiles, options: SortOptions): Promise<number> {
  const { numRows, numEntries } = matrix;
  const source = { numRows, numEntries, total: numRows, own: matrix, entries: (row: number) => mirrored(matrix, row) };
  return sortEntries(writer, source, options);
}

function* mirrored(matrix: CsrFiles, first: number): Generator<Entries> {
  for (let begin = first; begin < matrix.numRows; begin += ROWS) {
    const end = Math.min(matrix.numRows, begin + ROWS);
    const block = matrix.block(begin, end);
    yield { next: end, rows: block.columns, columns: rowOfEach(block) };
  }
}

/** The row of each entry of a block. */
function rowOfEach({ begin, end, rowPtr, columns }: CsrBlock): Int32Array {
  const rows = new Int32Array(columns.length);
  for (let row = begin; row < end; row++) rows.fill(row, rowPtr[row - begin], rowPtr[row - begin + 1]);
  return rows;
}

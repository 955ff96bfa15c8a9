import type { Progress } from "../../core/progress.ts";
import type { CsrBlock, CsrFiles } from "./csr-files.ts";
import { EntryBuckets, planBuckets } from "./entry-buckets.ts";
import { gatherRows } from "./gather-rows.ts";
import type { StoreWriter } from "./store-writer.ts";

const ROWS = 8192;

/**
 * Writes the parts `rowPointers` and `columns` of `[A + Aᵀ > 0]` for a matrix in files, within about `memory` bytes: mirrored entries are
 * spread over buckets of rows, then merged row by row with the entries themselves. Time is linear. Returns the number of entries.
 */
export async function symmetriseRows(
  writer: StoreWriter,
  matrix: CsrFiles,
  { memory, progress }: { memory: number; progress: Progress },
): Promise<number> {
  const { numRows, numEntries } = matrix;
  const plan = planBuckets(numRows, numEntries, memory);
  if (writer.position.step !== "gather") {
    const buckets = new EntryBuckets(writer, plan);
    const begun = writer.position.step === "spread" ? Number(writer.position.row) : 0;
    for (let begin = begun; begin < numRows; begin += ROWS) {
      const end = Math.min(numRows, begin + ROWS);
      const block = matrix.block(begin, end);
      buckets.add(block.columns, rowOfEach(block));
      await writer.reached({ step: "spread", row: end });
      progress.update(end - begun, numRows - begun, "mirroring edges");
    }
    await writer.save({ step: "gather", bucket: 0 });
  }
  return gatherRows(writer, { numRows, plan, own: matrix, progress });
}

/** The row of each entry of a block. */
function rowOfEach({ begin, end, rowPtr, columns }: CsrBlock): Int32Array {
  const rows = new Int32Array(columns.length);
  for (let row = begin; row < end; row++) rows.fill(row, rowPtr[row - begin], rowPtr[row - begin + 1]);
  return rows;
}

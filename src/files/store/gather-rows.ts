import { dirname } from "node:path";
import { check, MemoryError } from "../../core/errors.ts";
import type { Progress } from "../../core/progress.ts";
import { sortDistinct } from "../../graph/sort-distinct.ts";
import { fileSource } from "../file-source.ts";
import type { CsrBlock, CsrFiles } from "./csr-files.ts";
import { type BucketPlan, bucketName, entriesWithin, memoryFor } from "./entry-buckets.ts";
import { pointersAfter } from "./row-pointers.ts";
import type { StoreWriter } from "./store-writer.ts";

/** The task of {@link gatherRows}. */
export interface GatherTask {
  readonly numRows: number;
  readonly plan: BucketPlan;
  /** Rows to merge with those of the buckets; their columns are ascending already. */
  readonly own: CsrFiles | null;
  /** The memory that the buckets were planned for. */
  readonly planned: number;
  /** The memory that may be used now. */
  readonly memory: number;
  readonly progress: Progress;
}

/** Bytes of a bucket that are read at once. */
const CHUNK = 2 ** 20;
/** Rows that are merged and written at once. */
const ROWS = 4096;
/** Finished buckets are removed when they add up to this many bytes: each removal waits for the disk. */
const REMOVED_BYTES = 2 ** 28;

/**
 * Writes the parts `rowPointers` and `columns` from buckets of entries: the second half of a sort on the disk. It
 * counts the entries of a bucket by row, then reads them again and puts them into their rows, so that only columns are
 * in memory. Columns ascend within a row, without duplicates. Returns the number of entries.
 */
export async function gatherRows(writer: StoreWriter, task: GatherTask): Promise<number> {
  const { numRows, plan } = task;
  const rowPointers = writer.part("rowPointers", "u64");
  const columns = writer.part("columns", "i32");
  const first = writer.position.step === "gather" ? Number(writer.position.bucket) : 0;
  if (rowPointers.bytes === 0) rowPointers.append(pointersAfter([0], 0));
  let done: string[] = Array.from({ length: first }, (_, bucket) => bucketName(bucket));
  let doneBytes = 0;
  for (let bucket = first; bucket < plan.numBuckets; bucket++) {
    const name = bucketName(bucket);
    const begin = bucket * 2 ** plan.shift;
    const end = Math.min(numRows, begin + 2 ** plan.shift);
    const rows = new BucketRows(writer.pathOf(name, "i32"), begin, end);
    try {
      for (const range of rows.ranges(entriesWithin(task.memory))) writeRange(writer, rows.read(range), task.own);
      doneBytes += rows.bytes;
    } finally {
      rows.close();
    }
    done.push(name);
    const position = { step: "gather", bucket: bucket + 1, planned: task.planned };
    await writer.reached(position);
    if (doneBytes >= REMOVED_BYTES || bucket + 1 === plan.numBuckets) {
      await writer.drop(done, position);
      done = [];
      doneBytes = 0;
    }
    task.progress.update(bucket + 1 - first, plan.numBuckets - first, "sorting edges");
  }
  return columns.bytes / 4;
}

interface RowRange {
  readonly begin: number;
  readonly end: number;
}

/** Entries of some rows, row by row. */
interface PlacedRows extends RowRange {
  /** Where each row begins in `columns`, and where the last one ends. */
  readonly rowPtr: Int32Array;
  readonly columns: Int32Array;
}

/** The rows of one bucket. */
class BucketRows {
  readonly bytes: number;
  private readonly path: string;
  private readonly source: ReturnType<typeof fileSource>;
  private readonly begin: number;
  private readonly counts: Int32Array;

  constructor(path: string, begin: number, end: number) {
    this.path = path;
    this.source = fileSource(path);
    this.bytes = this.source.size;
    this.begin = begin;
    this.counts = new Int32Array(end - begin);
    for (const pairs of this.chunks()) {
      for (let k = 0; k < pairs.length; k += 2) this.counts[pairs[k] - begin]++;
    }
  }

  /** Cuts the rows into ranges of at most `most` entries; usually one range is enough. */
  *ranges(most: number): Generator<RowRange> {
    const { counts } = this;
    let begin = 0;
    let entries = 0;
    for (let row = 0; row < counts.length; row++) {
      check(
        counts[row] <= most,
        () => {
          const mebibytes = Math.ceil(memoryFor(counts[row]) / 2 ** 20);
          return `${dirname(this.path)}: node ${this.begin + row} has ${counts[row]} edges, for which --memory must be ${mebibytes}M at least`;
        },
        MemoryError,
      );
      if (entries + counts[row] > most) {
        yield { begin: this.begin + begin, end: this.begin + row };
        begin = row;
        entries = 0;
      }
      entries += counts[row];
    }
    yield { begin: this.begin + begin, end: this.begin + counts.length };
  }

  /** The entries of these rows; within a row in the order in which they were added. */
  read({ begin, end }: RowRange): PlacedRows {
    const rowPtr = new Int32Array(end - begin + 1);
    for (let row = 0; row < end - begin; row++) rowPtr[row + 1] = rowPtr[row] + this.counts[begin - this.begin + row];
    const columns = new Int32Array(rowPtr[end - begin]);
    const next = rowPtr.slice();
    for (const pairs of this.chunks()) {
      for (let k = 0; k < pairs.length; k += 2) {
        const row = pairs[k];
        if (row >= begin && row < end) columns[next[row - begin]++] = pairs[k + 1];
      }
    }
    return { begin, end, rowPtr, columns };
  }

  close(): void {
    this.source.close();
  }

  private *chunks(): Generator<Int32Array> {
    for (let at = 0; at < this.source.size; at += CHUNK) {
      const bytes = this.source.read(at, Math.min(CHUNK, this.source.size - at));
      yield new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    }
  }
}

const noRows = { columns: new Int32Array(0), rowPtr: new Float64Array(ROWS + 1) };

/** Merges rows of a bucket with the sorted rows in `own`, block by block, and appends them to the parts. */
function writeRange(writer: StoreWriter, placed: PlacedRows, own: CsrFiles | null): void {
  const rowPointers = writer.part("rowPointers", "u64");
  const columns = writer.part("columns", "i32");
  for (let begin = placed.begin; begin < placed.end; begin += ROWS) {
    const end = Math.min(placed.end, begin + ROWS);
    const block = own?.block(begin, end) ?? { ...noRows, begin, end };
    const merged = mergeBlock(placed, block);
    rowPointers.append(pointersAfter(merged.ends, columns.bytes / 4));
    columns.append(merged.columns);
  }
}

/** Merges the two lists of each row into one ascending list, without duplicates and self loops. */
function mergeBlock({ begin: first, rowPtr, columns: others }: PlacedRows, own: CsrBlock) {
  const { begin, end } = own;
  const bound = own.columns.length + rowPtr[end - first] - rowPtr[begin - first];
  const columns = new Int32Array(bound);
  const ends = new Int32Array(end - begin);
  let size = 0;
  for (let row = begin; row < end; row++) {
    let a = own.rowPtr[row - begin];
    const endA = own.rowPtr[row - begin + 1];
    let b = rowPtr[row - first];
    const endB = ascending(others, b, rowPtr[row - first + 1]);
    while (a < endA || b < endB) {
      const left = a < endA ? own.columns[a] : PAST_END;
      const right = b < endB ? others[b] : PAST_END;
      const column = Math.min(left, right);
      if (left <= right) a++;
      if (right <= left) b++;
      if (column !== row) columns[size++] = column;
    }
    ends[row - begin] = size;
  }
  return { columns: columns.subarray(0, size), ends };
}

const PAST_END = 2 ** 31 - 1; // greater than any column

/** Sorts a list and removes duplicates, if it is not strictly ascending yet; returns its new end. */
function ascending(list: Int32Array, begin: number, end: number): number {
  for (let k = begin + 1; k < end; k++) if (list[k - 1] >= list[k]) return sortDistinct(list, begin, end);
  return end;
}

import { check, MemoryError } from "../../core/errors.ts";
import type { PartWriter } from "./part-writer.ts";
import { SCRATCH, type StoreWriter } from "./store-writer.ts";

/** How entries are spread over buckets. */
export interface BucketPlan {
  readonly numBuckets: number;
  /** Rows of a bucket, as a power of two: row r is in bucket r >> shift. */
  readonly shift: number;
  /** Entries of a bucket that are buffered in memory before they are written to its file. */
  readonly waiting: number;
}

/** Bytes of memory that sorting may use by default. */
export const DEFAULT_MEMORY = 2 ** 32;

const LEAST_MEMORY = 4096;
const MOST_BUCKETS = 512; // each is an open file
/** Entries per bucket if there can be enough buckets: their columns, 16 MiB, stay in the cache during sorting. */
const MOST_ENTRIES = 2 ** 22;
const MOST_WAITING = 2 ** 16;
const LEAST_WAITING = 64;

/**
 * Plans buckets that can be sorted one at a time within `memory` bytes. This assumes rows of about equal length; a
 * bucket that turns out larger is sorted in several ranges of rows, and its file is read once for each.
 */
export function planBuckets(numRows: number, numEntries: number, memory: number): BucketPlan {
  check(
    memory >= LEAST_MEMORY,
    () => `sorting needs ${LEAST_MEMORY} bytes at least, got ${memory}; raise --memory`,
    MemoryError,
  );
  const wanted = Math.max(
    1,
    Math.min(MOST_BUCKETS, Math.ceil(numEntries / Math.min(MOST_ENTRIES, entriesWithin(memory)))),
  );
  let shift = 0;
  while (2 ** shift * wanted < numRows) shift++;
  const numBuckets = Math.ceil(numRows / 2 ** shift);
  const waiting = Math.floor(memory / 8 / 8 / numBuckets); // an eighth of the memory, 8 bytes each
  return { numBuckets, shift, waiting: Math.max(LEAST_WAITING, Math.min(MOST_WAITING, waiting)) };
}

/** Entries that are sorted at a time: a quarter of the memory, 4 bytes each. */
export function entriesWithin(memory: number): number {
  return Math.floor(memory / 4 / 4);
}

/** The memory for which {@link entriesWithin} allows this many entries. */
export function memoryFor(entries: number): number {
  return 4 * 4 * entries;
}

/** The name of the part that holds a bucket. */
export function bucketName(bucket: number): string {
  return `${SCRATCH}bucket.${bucket}`;
}

/**
 * Spreads the entries of a matrix over files by ranges of rows: the first half of a sort on the disk. A file holds row
 * and column of each entry, in the order in which the entries were added.
 */
export class EntryBuckets {
  private readonly plan: BucketPlan;
  private readonly parts: PartWriter[];
  private readonly pairs: Int32Array;
  /** Where the next entry of each bucket goes in `pairs`. */
  private readonly next: Int32Array;

  constructor(writer: StoreWriter, plan: BucketPlan) {
    const { numBuckets, waiting } = plan;
    this.plan = plan;
    this.parts = Array.from({ length: numBuckets }, (_, bucket) => writer.part(bucketName(bucket), "i32", 1));
    this.pairs = new Int32Array(2 * waiting * numBuckets);
    this.next = Int32Array.from({ length: numBuckets }, (_, bucket) => 2 * waiting * bucket);
    writer.beforeJournal(() => this.flush());
  }

  /** Adds the entries (rows[k], columns[k]); self loops are left out. */
  add(rows: Int32Array, columns: Int32Array): void {
    const { pairs, next } = this;
    const { shift, waiting } = this.plan;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (row === columns[k]) continue;
      const bucket = row >>> shift;
      const at = next[bucket];
      pairs[at] = row;
      pairs[at + 1] = columns[k];
      next[bucket] = at + 2;
      if (at + 2 === 2 * waiting * (bucket + 1)) this.flushBucket(bucket);
    }
  }

  /** Appends all buffered entries to the files. */
  flush(): void {
    for (let bucket = 0; bucket < this.parts.length; bucket++) this.flushBucket(bucket);
  }

  private flushBucket(bucket: number): void {
    const begin = 2 * this.plan.waiting * bucket;
    if (this.next[bucket] > begin) this.parts[bucket].append(this.pairs.subarray(begin, this.next[bucket]));
    this.next[bucket] = begin;
  }
}

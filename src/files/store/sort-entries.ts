import type { Progress } from "../../core/progress.ts";
import type { CsrFiles } from "./csr-files.ts";
import { EntryBuckets, planBuckets } from "./entry-buckets.ts";
import { gatherRows } from "./gather-rows.ts";
import type { StoreWriter } from "./store-writer.ts";

/** Some entries of a matrix. */
export interface Entries {
  /** The `begin` with which {@link EntrySource.entries} continues after these. */
  readonly next: number;
  readonly rows: Int32Array;
  readonly columns: Int32Array;
}

/** A matrix whose entries come in any order. */
export interface EntrySource {
  readonly numRows: number;
  /** About how many entries come; the same number every time. */
  readonly numEntries: number;
  /** The value of `next` at the end; shows progress. */
  readonly total: number;
  /** The entries from `begin` on: 0 to start, or `next` of the entries after which to continue. */
  entries(begin: number): AsyncIterable<Entries> | Iterable<Entries>;
  /** Further rows of the matrix, which are sorted already. */
  readonly own?: CsrFiles;
}

/** Options of {@link sortEntries}. */
export interface SortOptions {
  /** About how many bytes of memory it may use. */
  readonly memory: number;
  readonly progress: Progress;
}

/**
 * Writes the parts `rowPointers` and `columns` of a matrix whose entries come in any order, within about `memory`
 * bytes. It first spreads the entries over buckets of rows on the disk, then sorts one bucket at a time. Time is linear
 * in the number of entries. Duplicates and self loops are left out. Returns the number of entries.
 */
export async function sortEntries(writer: StoreWriter, source: EntrySource, options: SortOptions): Promise<number> {
  const { numRows, numEntries, total, own } = source;
  const { step, next = 0, planned = options.memory } = writer.position;
  const plan = planBuckets(numRows, numEntries, Number(planned)); // a continued sort keeps the buckets it began with
  if (step !== "gather") {
    const buckets = new EntryBuckets(writer, plan);
    const begun = step === "spread" ? Number(next) : 0;
    for await (const entries of source.entries(begun)) {
      buckets.add(entries.rows, entries.columns);
      await writer.reached({ step: "spread", next: entries.next, planned });
      options.progress.update(entries.next - begun, total - begun, "reading edges");
    }
    await writer.save({ step: "gather", bucket: 0, planned });
  }
  return gatherRows(writer, { numRows, plan, planned: Number(planned), own: own ?? null, ...options });
}

import type { Progress } from "../../core/progress.ts";
import type { CsrFiles } from "./csr-files.ts";
import { EntryBuckets, planBuckets } from "./entry-buckets.ts";
import { gatherRows } from "./gather-rows.ts";
import type { StoreWriter } from "./store-writer.ts";

/** Some entries of a matrix. */
export interface Entries {
  /** What to ask for to get the entries after these. */
  readonly next: number;
  readonly rows: Int32Array;
  readonly columns: Int32Array;
}

/** A matrix whose entries come in any order. */
export interface EntrySource {
  readonly numRows: number;
  /** About how many entries come; the same number every time. */
  readonly numEntries: number;
  /** The end of `next`, for the time left. */
  readonly total: number;
  /** The entries from `begin` on: 0 at first, later `next` of the last ones that came. */
  entries(begin: number): AsyncIterable<Entries> | Iterable<Entries>;
  /** Rows that belong to the matrix as well and are sorted already. */
  readonly own?: CsrFiles;
}

/** How {@link sortEntries} works. */
export interface SortOptions {
  /** Bytes that it may take, about. */
  readonly memory: number;
  readonly progress: Progress;
}

/**
 * Writes the parts `rowPointers` and `columns` of a matrix whose entries come in any order, within about `memory` bytes: entries are
 * spread over buckets of rows on the disk, then one bucket at a time is put in order. Time is linear in the entries. Duplicates
 * and self loops are left out. Returns the number of entries.
 */
export async function sortEntries(writer: StoreWriter, source: EntrySource, options: SortOptions): Promise<number> {
  const { numRows, numEntries, total, own } = source;
  const { step, next = 0, planned = options.memory } = writer.position;
  const plan = planBuckets(numRows, numEntries, Number(planned)); // buckets stay what they are if there is other memory later
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

import { UserError } from "../../../core/errors.ts";
import { type Progress, silent } from "../../../core/progress.ts";
import type { StopSignal } from "../../../core/stop-signal.ts";
import type { Csr } from "../../../graph/csr.ts";
import { makeFolder } from "../../make-folder.ts";
import type { GraphStore } from "../open-store.ts";
import { PushPool } from "../push-pool.ts";
import { pointersAfter } from "../row-pointers.ts";
import { type StoreWriter, writeStore } from "../store-writer.ts";
import { PAGE_RANK_ROWS, type RowsHeader, type RowsWanted, rowsFolder } from "./rows-folder.ts";

/** Options of pushing that do not change the rows. */
export interface PushWatch {
  /** Default: as many as there are cores. */
  readonly threads?: number;
  readonly progress?: Progress;
  /** Ends the work soon; rows so far are kept. */
  readonly signal?: StopSignal;
  /** Receives a line that a user should read. */
  readonly warn?: (line: string) => void;
  /** Milliseconds of work that a kill may cost, about. Default 10 s. */
  readonly journalMilliseconds?: number;
}

/** Rows per request and per write: with a low tolerance a row takes a second, and Ctrl-C should not wait for many. */
const ROWS = 64;
/** Requests under way at a time: enough that no thread waits while rows are written. */
const AHEAD = 8;

/**
 * Pushes rows on all cores and stores them inside the folder of the graph store. Memory does not grow with the number
 * of rows. If it is killed and called again, it continues and writes the same bytes in the end.
 */
export async function writeRows(store: GraphStore, wanted: RowsWanted, watch: PushWatch = {}): Promise<void> {
  const { signal, journalMilliseconds } = watch;
  const { alpha, epsilon, k } = wanted.options;
  const folder = rowsFolder(store, wanted);
  const facts: Omit<RowsHeader, "parts"> = { alpha, epsilon, k, numNodes: store.numNodes };
  const options = {
    kind: PAGE_RANK_ROWS,
    ...(signal && { signal }),
    ...(journalMilliseconds !== undefined && { journalMilliseconds }),
  };
  await writeStore(folder, { ...facts, numRows: wanted.nodes.length }, options, async (writer) => {
    const pool = PushPool.open(store, watch.threads);
    try {
      await pushInto(writer, pool, wanted, watch.progress ?? silent);
    } finally {
      await pool.close();
    }
    return facts;
  });
}

/** Makes the folder of rows. Throws if the store is in a place where the user may not write. */
export async function makeRowsFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      `${folder}: rows of PageRank cannot be stored there (${code}); copy the store to where you may write`,
    );
  }
}

async function pushInto(writer: StoreWriter, pool: PushPool, wanted: RowsWanted, progress: Progress): Promise<void> {
  const { nodes, options } = wanted;
  const rowPointers = writer.part("rowPointers", "u64");
  const columns = writer.part("columns", "i32");
  const values = writer.part("values", "f32");
  if (rowPointers.bytes === 0) {
    writer.part("nodes", "i32").append(nodes);
    rowPointers.append(pointersAfter([0], 0));
  }
  const begun = Number(writer.position.row ?? 0);
  const underWay: Promise<Csr>[] = [];
  let asked = begun;
  const askNext = () => {
    if (asked >= nodes.length) return;
    const rows = pool.push(nodes.subarray(asked, asked + ROWS), options);
    rows.catch(() => {}); // the loop below, which awaits them, gets the error
    underWay.push(rows);
    asked += ROWS;
  };
  for (let t = 0; t < AHEAD; t++) askNext();
  let done = begun;
  for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) {
    const rows = await next;
    askNext();
    rowPointers.append(pointersAfter(rows.rowPtr.subarray(1), columns.bytes / 4));
    columns.append(rows.colIdx);
    values.append(rows.values!);
    done += rows.numRows;
    await writer.reached({ row: done });
    progress.update(done - begun, nodes.length - begun, "pushing rows of PageRank");
  }
}

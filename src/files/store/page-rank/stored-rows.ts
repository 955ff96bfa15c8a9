import { check, DataError } from "../../../core/errors.ts";
import { allocRowPtr, type Csr } from "../../../graph/csr.ts";
import { withLock } from "../../with-lock.ts";
import { damageOf } from "../check-store.ts";
import { canMap } from "../mapped-file.ts";
import type { GraphStore } from "../open-store.ts";
import { openPart, type PartReader } from "../part-reader.ts";
import { PAGE_RANK_ROWS, type RowsHeader, type RowsWanted, readRowsHeader, rowsFolder } from "./rows-folder.ts";
import { makeRowsFolder, type PushWatch, writeRows } from "./write-rows.ts";

/** Rows of PageRank, and whether they were stored before. */
export interface KeptRows {
  readonly rows: StoredRows;
  readonly reused: boolean;
}

/** Returns the stored rows after checking them; pushes and stores them if there are none. The caller closes them. */
export async function keptRows(store: GraphStore, wanted: RowsWanted, watch: PushWatch = {}): Promise<KeptRows> {
  const folder = rowsFolder(store, wanted);
  const before = readRowsHeader(folder);
  if (before) {
    const damage = (await damageOf(folder, before)).at(0);
    check(damage === undefined, () => `${damage?.message}; ${PAGE_RANK_ROWS.wayOut}`, DataError);
  } else {
    await makeRowsFolder(folder);
    const lock = `${folder}.lock`;
    const waits = (pid: number) => watch.warn?.(`waits for process ${pid}, which pushes the same rows (${lock})`);
    await withLock(lock, { waits, signal: watch.signal }, async () => {
      if (!readRowsHeader(folder)) await writeRows(store, wanted, watch);
    });
  }
  return { rows: new StoredRows(folder, before ?? readRowsHeader(folder)!), reused: before !== undefined };
}

/** Rows of PageRank on the disk; only selected rows are read. */
export class StoredRows {
  readonly folder: string;
  readonly numRows: number;
  private readonly numCols: number;
  private readonly pointers: Float64Array;
  private readonly columns: PartReader<"i32">;
  private readonly values: PartReader<"f32">;

  constructor(folder: string, { numNodes, parts }: RowsHeader) {
    const open = (name: string) => openPart(folder, parts[name], { mapped: canMap() });
    this.folder = folder;
    this.numCols = numNodes;
    this.numRows = parts["nodes"].length;
    this.pointers = readPointers(open("rowPointers") as PartReader<"u64">, this.numRows + 1);
    this.columns = open("columns") as PartReader<"i32">;
    this.values = open("values") as PartReader<"f32">;
  }

  /** The rows at these positions, in this order. */
  select(positions: Int32Array): Csr {
    const { pointers } = this;
    let size = 0;
    for (const t of positions) size += pointers[t + 1] - pointers[t];
    const rowPtr = allocRowPtr(positions.length, size);
    const colIdx = new Int32Array(size);
    const values = new Float32Array(size);
    for (let r = 0; r < positions.length; r++) {
      const begin = pointers[positions[r]];
      const end = pointers[positions[r] + 1];
      colIdx.set(this.columns.range(begin, end), rowPtr[r]);
      values.set(this.values.range(begin, end), rowPtr[r]);
      rowPtr[r + 1] = rowPtr[r] + end - begin;
    }
    return { numRows: positions.length, numCols: this.numCols, rowPtr, colIdx, values };
  }

  close(): void {
    this.columns.close();
    this.values.close();
  }
}

/** Row pointers, eight bytes each, in memory. Closes the part. */
function readPointers(part: PartReader<"u64">, length: number): Float64Array {
  const words = part.range(0, length);
  const pointers = Float64Array.from({ length }, (_, t) => words[2 * t] + words[2 * t + 1] * 2 ** 32);
  part.close();
  return pointers;
}

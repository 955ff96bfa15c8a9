import type { ByteSource } from "../../data/formats/byte-source.ts";
import { fileSource } from "../file-source.ts";

/** Consecutive rows of a matrix. */
export interface CsrBlock {
  readonly begin: number;
  readonly end: number;
  /** Starts at 0 with row `begin`. */
  readonly rowPtr: Float64Array;
  readonly columns: Int32Array;
}

/** Row pointers and columns in files, in the layout of a store, for reading block by block. */
export class CsrFiles {
  readonly numRows: number;
  private readonly pointers: ByteSource;
  private readonly columns: ByteSource;

  constructor(pointersPath: string, columnsPath: string) {
    this.pointers = fileSource(pointersPath);
    this.columns = fileSource(columnsPath);
    this.numRows = this.pointers.size / 8 - 1;
  }

  get numEntries(): number {
    return this.columns.size / 4;
  }

  /** Rows `begin` … `end − 1`. */
  block(begin: number, end: number): CsrBlock {
    const words = new Uint32Array(this.pointers.read(8 * begin, 8 * (end + 1 - begin)).buffer);
    const first = words[0] + words[1] * 2 ** 32;
    const rowPtr = new Float64Array(end + 1 - begin);
    for (let k = 0; k < rowPtr.length; k++) rowPtr[k] = words[2 * k] + words[2 * k + 1] * 2 ** 32 - first;
    const bytes = this.columns.read(4 * first, 4 * rowPtr[end - begin]);
    return { begin, end, rowPtr, columns: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4) };
  }

  close(): void {
    this.pointers.close();
    this.columns.close();
  }
}

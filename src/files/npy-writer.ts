import { closeSync, openSync, writeSync } from "node:fs";
import { check } from "../core/errors.ts";
import { formatNpyHeader } from "../data/formats/npy-header.ts";

/** Writes a .npy file piece by piece where the number of rows is known only at the end. */
export class NpyWriter {
  private readonly file: number;
  private readonly headerLength: number;
  private readonly descr: string;
  private readonly rowShape: readonly number[];
  private values = 0;
  private open = true;

  /** `descr` is NumPy's type string, such as `<f4`; `rowShape` the shape of one row, empty for a list of numbers. */
  constructor(path: string, descr: string, rowShape: readonly number[] = []) {
    this.descr = descr;
    this.rowShape = rowShape;
    this.file = openSync(path, "w");
    const header = formatNpyHeader(descr, [0, ...rowShape]);
    this.headerLength = header.length;
    writeWhole(this.file, header);
  }

  /** Adds whole rows. */
  append(rows: ArrayBufferView & { readonly length: number }): void {
    this.values += rows.length;
    writeWhole(this.file, new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  }

  /** Writes the number of rows into the header, whose padding leaves room for it. */
  finish(): void {
    const numRows = this.values / this.rowShape.reduce((product, size) => product * size, 1);
    const header = formatNpyHeader(this.descr, [numRows, ...this.rowShape]);
    check(
      Number.isInteger(numRows) && header.length === this.headerLength,
      () => `NpyWriter: ${this.values} values do not make whole rows of shape (${this.rowShape.join(", ")})`,
    );
    writeWhole(this.file, header, 0);
    this.close();
  }

  /** Leaves the file as it is; called again, or after {@link finish}, it does nothing. */
  close(): void {
    if (this.open) closeSync(this.file);
    this.open = false;
  }
}

/** One call may write less than it was given. */
function writeWhole(file: number, bytes: Uint8Array, position: number | null = null): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
}

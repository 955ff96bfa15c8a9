import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries } from "../../graph/csr.ts";
import type { ByteSource } from "./byte-source.ts";
import { checkEntriesInside, checkEntriesShape } from "./entries-shape.ts";
import { isNumeric } from "./parse-number.ts";
import { quote } from "./printable.ts";
import { textLines } from "./text-table.ts";

const HEADER = /^%%MatrixMarket\s+matrix\s+coordinate\s+(real|integer|pattern)\s+(general|symmetric)\s*$/i;

/**
 * Reads a sparse matrix in the MatrixMarket format, which counts rows and columns from 1. If it is symmetric, both
 * halves are returned.
 */
export async function readMatrixMarket(source: ByteSource): Promise<Csr> {
  const { name } = source;
  const fail = (line: number, message: string): never => {
    throw new DataError(`${name}: line ${line} ${message}`);
  };
  let kind: RegExpExecArray | null = null;
  let size: number[] | undefined;
  const rows: number[] = [];
  const cols: number[] = [];
  const values: number[] = [];
  for await (const { text, line } of textLines(source)) {
    if (line === 1) {
      kind = HEADER.exec(text);
      if (kind === null)
        fail(
          1,
          `must be "%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric", got ${quote(text)}`,
        );
    } else if (text.trim() !== "" && !text.startsWith("%")) {
      const fields = text.trim().split(/\s+/);
      const width = size === undefined ? 3 : kind![1].toLowerCase() === "pattern" ? 2 : 3;
      if (fields.length !== width || !fields.every(isNumeric))
        fail(line, `must hold ${width} numbers, got ${quote(text)}`);
      const numbers = fields.map(Number);
      if (size === undefined) size = numbers;
      else {
        rows.push(numbers[0] - 1);
        cols.push(numbers[1] - 1);
        if (width === 3) values.push(numbers[2]);
      }
    }
  }
  check(kind !== null && size !== undefined, () => `${name}: ends before its sizes`, DataError);
  const [numRows, numCols, entries] = size;
  check(rows.length === entries, () => `${name}: says ${entries} entries, but holds ${rows.length}`, DataError);
  checkEntriesShape(name, [numRows, numCols], entries);
  checkEntriesInside(name, rows, numRows, "row");
  checkEntriesInside(name, cols, numCols, "column");
  const weights = values.length > 0 ? values : null;
  if (kind[2].toLowerCase() === "general") return csrFromEntries(numRows, numCols, rows, cols, weights);
  return csrFromEntries(numRows, numCols, ...mirrored(rows, cols, weights));
}

/** Entries and their mirror images; those on the diagonal have none. */
function mirrored(rows: number[], cols: number[], values: number[] | null): [number[], number[], number[] | null] {
  const others = Array.from(rows.keys()).filter((e) => rows[e] !== cols[e]);
  return [
    rows.concat(others.map((e) => cols[e])),
    cols.concat(others.map((e) => rows[e])),
    values?.concat(others.map((e) => values[e])) ?? null,
  ];
}

import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries, transpose } from "../../graph/csr.ts";
import { csrFromArrays } from "./csr-from-arrays.ts";
import { checkEntriesInside, checkEntriesShape } from "./entries-shape.ts";
import { toCounts, toFloat32, toInt32 } from "./npy-cast.ts";
import type { Npz } from "./npz.ts";
import { quote } from "./printable.ts";

/** True for a file that scipy's `save_npz` wrote. */
export function isScipyMatrix(npz: Npz): boolean {
  return npz.has("format") && npz.has("shape") && npz.has("data");
}

/** A matrix that scipy's `save_npz` wrote: compressed rows (csr) or columns (csc), or a list of entries (coo). */
export function readScipyMatrix(npz: Npz): Csr {
  const format = npz.array("format").texts?.[0] ?? "";
  const counts = (member: string) => toCounts(npz.array(member), npz.where(member));
  const indices = (member: string) => toInt32(npz.array(member), npz.where(member));
  const shape = [...counts("shape")];
  const values = toFloat32(npz.array("data"), npz.where("data"));
  if (format === "coo") return fromEntries(npz, shape, indices("row"), indices("col"), values);
  check(
    format === "csr" || format === "csc",
    () => `${npz.name}: is a matrix in the format ${quote(format)}; convert it with .tocsr() before save_npz`,
    DataError,
  );
  const rowPtr = counts("indptr");
  const colIdx = indices("indices");
  if (format === "csr") return csrFromArrays({ shape, rowPtr, colIdx, values }, npz.name);
  checkEntriesShape(npz.name, shape, rowPtr.length + colIdx.length);
  return transpose(csrFromArrays({ shape: shape.reverse(), rowPtr, colIdx, values }, npz.name));
}

function fromEntries(npz: Npz, shape: number[], rows: Int32Array, cols: Int32Array, values: Float32Array): Csr {
  const [numRows, numCols] = shape;
  checkEntriesShape(npz.name, shape, rows.length);
  check(
    values.length === rows.length && cols.length === rows.length,
    () => `${npz.name}: ${rows.length} rows, ${cols.length} columns and ${values.length} values must be as many`,
    DataError,
  );
  checkEntriesInside(npz.name, rows, numRows, "row");
  checkEntriesInside(npz.name, cols, numCols, "column");
  return csrFromEntries(numRows, numCols, rows, cols, values);
}

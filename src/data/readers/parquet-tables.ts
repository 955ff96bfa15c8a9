import { check, DataError } from "../../core/errors.ts";
import type { ParquetColumn, ParquetTable } from "../formats/parquet.ts";
import { quote } from "../formats/printable.ts";
import type { NodeId } from "../node-ids.ts";
import { classesOfTexts } from "../renumber-labels.ts";
import { checkIds, columnsOf, isEdgeColumn, type ListedEdges, labelColumn } from "./edge-list.ts";
import type { FeatureFile } from "./feature-file.ts";
import { isIdName } from "./id-column.ts";
import { type LabelFile, UNKNOWN } from "./label-file.ts";

/** The edges of a table: source, target and, where there is a third column, a weight, by usual names or in this order. */
export async function edgesOfParquet(table: ParquetTable): Promise<ListedEdges> {
  const { where } = table;
  const names = table.names.map((name) => name.toLowerCase());
  const width = names.length;
  check(width === 2 || width === 3, () => `${where}: must have 2 columns, or 3 with weights, got ${width}`, DataError);
  const at = columnsOf(names.some(isEdgeColumn) ? names : undefined, width, where);
  const sources = await filled(table, at.source);
  const targets = await filled(table, at.target);
  check(
    typeof sources[0] === typeof targets[0],
    () => `${where}: nodes must be numbers in both columns, or names in both`,
    DataError,
  );
  for (const ids of [sources, targets]) if (ids instanceof Float64Array) checkIds(ids, where);
  const weights = width === 3 ? Float32Array.from(await numbers(table, at.weight)) : null;
  return { where, sources, targets, weights };
}

/**
 * The features of a table: numbers, and perhaps ids, in a column with a usual name of ids or in a first column of text.
 */
export async function featuresOfParquet(table: ParquetTable): Promise<FeatureFile> {
  const { numRows, names } = table;
  const idAt = await idColumnOf(table);
  const columns = [...names.keys()].filter((k) => k !== idAt);
  const numCols = columns.length;
  const data = new Float32Array(numRows * numCols);
  for (const [j, k] of columns.entries()) {
    const values = await numbers(table, k);
    for (let row = 0; row < numRows; row++) data[row * numCols + j] = values[row];
  }
  const features = { numRows, numCols, data };
  return idAt === undefined ? { features } : { features, ids: await idsOf(table, idAt) };
}

async function idColumnOf(table: ParquetTable): Promise<number | undefined> {
  const named = table.names.findIndex((name) => isIdName(name.toLowerCase()));
  if (named >= 0) return named;
  const isNames = table.names.length > 1 && isText(await table.column(0));
  return isNames ? 0 : undefined;
}

/** The labels of a table: one column, or two of which one has ids. Where there is no value, the label is unknown. */
export async function labelsOfParquet(table: ParquetTable): Promise<LabelFile> {
  const { where, names, numRows } = table;
  const width = names.length;
  check(width === 1 || width === 2, () => `${where}: must have one column, or two with ids, got ${width}`, DataError);
  const idAt = names.findIndex((name) => isIdName(name.toLowerCase()));
  const labelAt = width === 1 || idAt === 1 ? 0 : 1;
  const { values } = await table.column(labelAt);
  const labels =
    values instanceof Float64Array
      ? { labels: labelColumn({ data: values, numRows, numCols: 1 }, where) }
      : classesOfTexts(values.map((text) => (UNKNOWN.test(text) ? "" : text)));
  return width === 1 ? labels : { ...labels, ids: await idsOf(table, 1 - labelAt) };
}

async function idsOf(table: ParquetTable, k: number): Promise<NodeId[]> {
  const ids = Array.from<NodeId>(await filled(table, k));
  const bad = ids.findIndex((id) => id === "" || (typeof id === "number" && !Number.isSafeInteger(id)));
  check(
    bad < 0,
    () => `${table.where}: row ${bad}: node id ${quote(String(ids[bad]))} must be a whole number or a name`,
    DataError,
  );
  return ids;
}

async function numbers(table: ParquetTable, k: number): Promise<Float64Array> {
  const values = await filled(table, k);
  check(
    values instanceof Float64Array,
    () => `${table.where}: column ${quote(table.names[k])} must hold numbers, got text`,
    DataError,
  );
  return values;
}

/** The values of a column; a missing one is an error. */
async function filled(table: ParquetTable, k: number): Promise<Float64Array | string[]> {
  const { name, values, missing } = await table.column(k);
  check(
    missing.length === 0,
    () => `${table.where}: row ${missing[0]}, column ${quote(name)}: has no value`,
    DataError,
  );
  return values;
}

function isText({ values }: ParquetColumn): boolean {
  return !(values instanceof Float64Array);
}

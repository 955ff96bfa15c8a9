import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import type { NpyArray } from "../formats/npy.ts";
import { toLabels } from "../formats/npy-cast.ts";
import { isNumeric } from "../formats/parse-number.ts";
import { quote } from "../formats/printable.ts";
import { readTextTable, type TextRow } from "../formats/text-table.ts";
import type { NodeId } from "../node-ids.ts";
import { classesOfTexts } from "../renumber-labels.ts";
import { idColumn, isIdName } from "./id-column.ts";

/** Labels of a file, and the ids of their nodes if the file has them. */
export interface LabelFile {
  readonly labels: Int32Array;
  /** Names of the classes, if the file has names as labels. */
  readonly classes?: readonly string[];
  readonly ids?: NodeId[];
}

/** What stands for an unknown label. */
export const UNKNOWN = /^(nan|na|\?)?$/i;

/**
 * Reads labels, one per line, or `id,label` per line. Labels are either all whole numbers or all names. An empty field,
 * `nan`, `na` and `?` mean that a label is unknown.
 */
export async function readLabelText(source: ByteSource): Promise<LabelFile> {
  const { name: where } = source;
  const { names, rows } = await readTextTable(source);
  const width = names?.length ?? rows[0]?.fields.length ?? 1;
  check(width <= 2, () => `${where}: must have one column, or two with ids, got ${width}`, DataError);
  const labelled = width === 1 ? 0 : names && isIdName(names[1]) ? 0 : 1;
  const { labels, classes } = classLabels(rows, labelled, where);
  return {
    labels,
    ...(classes && { classes }),
    ...(width === 2 && { ids: idColumn(rows, 1 - labelled, where) }),
  };
}

/** Labels of an array: numbers, or names of classes. */
export function labelsOfArray(array: NpyArray, where: string): LabelFile {
  return array.texts ? classesOfTexts(array.texts) : { labels: toLabels(array, where) };
}

function classLabels(rows: readonly TextRow[], column: number, where: string): LabelFile {
  const known = rows.filter(({ fields }) => !UNKNOWN.test(fields[column]));
  const numbers = known.filter(({ fields }) => isNumeric(fields[column]));
  if (numbers.length > 0 && numbers.length < known.length) throw mixedLabels(known, numbers.length, column, where);
  const texts = rows.map(({ fields }) => (UNKNOWN.test(fields[column]) ? "" : fields[column]));
  if (known.length > 0 && numbers.length === 0) return classesOfTexts(texts);
  const labels = new Int32Array(rows.length);
  for (const [node, text] of texts.entries()) {
    labels[node] = text === "" ? -1 : Number(text);
    check(
      text === "" || labels[node] === Number(text),
      () => `${where}: label ${text} of node ${node} must be an integer`,
      DataError,
    );
  }
  return { labels };
}

/** Reports the first label of the rarer kind, which is more likely to be the mistake. */
function mixedLabels(known: readonly TextRow[], numNumbers: number, column: number, where: string): DataError {
  const mostlyNumbers = 2 * numNumbers > known.length;
  const { line, fields } = known.find((row) => isNumeric(row.fields[column]) !== mostlyNumbers)!;
  const others = mostlyNumbers ? "numbers" : "names";
  return new DataError(
    `${where}: line ${line}: ${quote(fields[column])} is among ${others}; labels are all numbers or all names, below a header such as label`,
  );
}

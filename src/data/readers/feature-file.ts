import { check, DataError } from "../../core/errors.ts";
import type { Features } from "../../graph/graph.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { readNumbers } from "../formats/csv-numbers.ts";
import { isNumeric } from "../formats/parse-number.ts";
import { quote } from "../formats/printable.ts";
import { readTextTable, type TextTable } from "../formats/text-table.ts";
import type { NodeId } from "../node-ids.ts";
import { idColumn, isIdName } from "./id-column.ts";

/** Features of a file, and the ids of their nodes if the file has them. */
export interface FeatureFile {
  readonly features: Features;
  readonly ids?: NodeId[];
}

/**
 * Reads one row of numbers per node. A first column of names, or one that the header calls `id`, has the ids of nodes.
 */
export async function readFeatureText(source: ByteSource): Promise<FeatureFile> {
  const start = await readTextTable(source, 2);
  const header = start.names ?? start.rows[0]?.fields.map((name) => name.toLowerCase());
  const calledIds = header !== undefined && isIdName(header[0]);
  const row = start.rows[start.rows.length - 1]?.fields; // the second one, if the first was a header
  const named = row !== undefined && !isNumeric(row[0]) && row.length > 1 && row.slice(1).every(isNumeric);
  if (!calledIds && !named) {
    const table = await readNumbers(source, { single: true });
    return { features: { ...table, data: table.data as Float32Array } };
  }
  return withIds(await readTextTable(source), calledIds, source.name);
}

function withIds({ names, rows: all }: TextTable, header: boolean, where: string): FeatureFile {
  const first = all[0]?.fields.slice(1) ?? [];
  const isHeader = names === undefined && (header || !first.every(isNumeric));
  const rows = isHeader ? all.slice(1) : all;
  const numCols = (names ?? all[0]?.fields ?? []).length - 1;
  const data = new Float32Array(rows.length * Math.max(0, numCols));
  for (const [node, { line, fields }] of rows.entries()) {
    for (let k = 0; k < numCols; k++) {
      const text = fields[k + 1];
      check(isNumeric(text), () => `${where}: line ${line}: number expected, got ${quote(text)}`, DataError);
      data[node * numCols + k] = Number(text);
    }
  }
  return { features: { numRows: rows.length, numCols, data }, ids: idColumn(rows, 0, where) };
}

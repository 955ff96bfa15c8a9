import { check, DataError } from "../../core/errors.ts";
import { isNumeric } from "../formats/parse-number.ts";
import { quote } from "../formats/printable.ts";
import type { TextRow } from "../formats/text-table.ts";
import type { NodeId } from "../node-ids.ts";

/** True for a usual name of a column of node ids. */
export function isIdName(name: string): boolean {
  return /^(id|ids|node|node_id|nodeid|name)$/.test(name);
}

/** The ids in a column: either all whole numbers or all names. */
export function idColumn(rows: readonly TextRow[], column: number, where: string): NodeId[] {
  const numbers = rows.every(({ fields }) => isNumeric(fields[column]));
  return rows.map(({ line, fields }) => {
    const text = fields[column];
    check(text !== "", () => `${where}: line ${line} has no node id`, DataError);
    const id = numbers ? Number(text) : text;
    check(
      !numbers || Number.isSafeInteger(id),
      () => `${where}: line ${line}: node id ${quote(text)} must be a whole number`,
      DataError,
    );
    return id;
  });
}

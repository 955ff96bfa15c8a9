import type { NodeId } from "../node-ids.ts";

/** A column to write; null where a row has no value. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: "INT32" | "INT64" | "FLOAT" | "DOUBLE" | "STRING";
  readonly data: readonly (number | bigint | string | null)[];
}

/** Writes a table as parquet, compressed with Snappy, which every reader supports. */
export async function formatParquet(columns: readonly WrittenColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columns.map((column) => ({ ...column, data: [...column.data] }));
  return new Uint8Array(parquetWriteBuffer({ columnData, codec: "SNAPPY" }));
}

/** A column of node ids: numbers, or text if any of them is a name. */
export function idsColumn(name: string, ids: readonly NodeId[]): WrittenColumn {
  return ids.some((id) => typeof id === "string")
    ? { name, type: "STRING", data: ids.map(String) }
    : { name, type: "INT64", data: ids.map(BigInt) };
}

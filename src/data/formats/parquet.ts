import type { DecodedArray, FileMetaData, RowGroup, SchemaElement } from "hyparquet";
import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { unpackPages } from "./parquet-pages.ts";
import { printable, quote } from "./printable.ts";
import { ThriftReader } from "./thrift.ts";
import { MAX_EXPANSION, unpackedLimit } from "./unpacked-limit.ts";

/** A table whose columns are read on demand. */
export interface ParquetTable {
  /** What error messages call it. */
  readonly where: string;
  readonly numRows: number;
  readonly names: readonly string[];
  column(k: number): Promise<ParquetColumn>;
}

export interface ParquetColumn {
  readonly name: string;
  /** Numbers and flags (0, 1), or text. A missing value is NaN or empty text. */
  readonly values: Float64Array | string[];
  /** Rows without a value, counted from 0. */
  readonly missing: readonly number[];
}

const MAGIC = "PAR1";
/** The length of the footer and the magic, at the end of a file. */
const TAIL = 8;
const PAGE_CODECS = ["UNCOMPRESSED", "SNAPPY"];
/** Types that are numbers or text; dates, decimals and the like are neither. */
const TYPES = new Set(
  "BOOLEAN INT32 INT64 FLOAT DOUBLE BYTE_ARRAY UTF8 STRING ENUM INTEGER NULL FLOAT16 INT_8 INT_16 INT_32 INT_64 UINT_8 UINT_16 UINT_32 UINT_64".split(
    " ",
  ),
);

/** True for the name of a parquet file. */
export function isParquet(name: string): boolean {
  return name.endsWith(".parquet");
}

/** Opens a table of plain columns. Leaves out the index that pandas adds to filtered tables (`__index_level_0__`). */
export async function openParquet(source: ByteSource): Promise<ParquetTable> {
  const { name: where } = source;
  const metadata = await readMetadata(source);
  const elements = metadata.schema.slice(1);
  checkFlat(metadata, where);
  const numRows = Number(metadata.num_rows);
  const cells = numRows * elements.length;
  const counted = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  expectWhole(Number.isSafeInteger(cells) && numRows >= 0 && counted === numRows, `${numRows} rows`, where);
  check(
    4 * cells <= unpackedLimit(source.size),
    () => `${where}: unpacks to more than ${MAX_EXPANSION} times its size; refused`,
    DataError,
  );
  const kept = [...elements.keys()].filter((k) => !/^__index_level_\d+__$/.test(elements[k].name));
  return {
    where,
    numRows,
    names: kept.map((k) => elements[k].name),
    column: (k) => readColumn(source, metadata, kept[k]),
  };
}

async function readMetadata(source: ByteSource): Promise<FileMetaData> {
  const { name: where, size } = source;
  const tail = source.read(Math.max(0, size - TAIL), Math.min(TAIL, size));
  const isWhole = tail.length === TAIL && String.fromCharCode(...tail.subarray(4)) === MAGIC;
  check(isWhole, () => `${where}: is not a parquet file, or it is cut off`, DataError);
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  expectWhole(length + TAIL <= size, `a footer of ${length} bytes`, where);
  const footer = new Uint8Array(source.read(size - TAIL - length, length + TAIL)); // a copy: `footer.buffer` is parsed
  new ThriftReader(footer.subarray(0, length), 0, where).struct();
  const { parquetMetadata } = await import("hyparquet");
  return decoded(where, async () => parquetMetadata(footer.buffer, { geoparquet: false }));
}

/** Throws for columns of lists or structs, and for types that are neither numbers nor text. */
function checkFlat({ schema }: FileMetaData, where: string): void {
  const elements = schema.slice(1);
  const nested = elements.find((element) => element.num_children || element.repetition_type === "REPEATED");
  check(
    nested === undefined,
    () => `${where}: column ${quote(String(nested!.name))} holds lists; give each number a column of its own`,
    DataError,
  );
  const isWhole = elements.every(({ name, type }) => typeof name === "string" && type !== undefined);
  expectWhole(isWhole && schema[0]?.num_children === elements.length, "columns are damaged", where);
  for (const { name, type, type_length, converted_type, logical_type } of elements) {
    const isHalf = type === "FIXED_LEN_BYTE_ARRAY" && type_length === 2 && logical_type?.type === "FLOAT16";
    const types = [isHalf ? "FLOAT16" : type, converted_type, logical_type?.type].filter((part) => part !== undefined);
    const other = types.find((part) => !TYPES.has(part));
    check(
      other === undefined,
      () => `${where}: column ${quote(name)} holds ${other}; it must hold numbers or text`,
      DataError,
    );
  }
}

async function readColumn(source: ByteSource, metadata: FileMetaData, k: number): Promise<ParquetColumn> {
  const { name: where } = source;
  const element = metadata.schema[k + 1];
  const chunks: DecodedArray[] = [];
  for (const group of metadata.row_groups) chunks.push(...(await readChunk(source, element, group, k)));
  const numRows = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  expectWhole(numRows === Number(metadata.num_rows), `${numRows} rows in column ${quote(element.name)}`, where);
  const at = (row: number) => `${where}: row ${row}, column ${quote(element.name)}`;
  const missing: number[] = [];
  const isText = element.type === "BYTE_ARRAY";
  const texts: string[] = [];
  const numbers = new Float64Array(isText ? 0 : numRows);
  let row = 0;
  for (const chunk of chunks) {
    if (chunk instanceof Float64Array || chunk instanceof Float32Array || chunk instanceof Int32Array) {
      numbers.set(chunk, row);
      row += chunk.length;
      continue;
    }
    for (const value of chunk as Iterable<unknown>) {
      if (value === null) missing.push(row);
      if (isText) texts.push(textOf(value, at, row));
      else numbers[row] = numberOf(value, at, row);
      row++;
    }
  }
  return { name: element.name, values: isText ? texts : numbers, missing };
}

function textOf(value: unknown, at: (row: number) => string, row: number): string {
  if (value === null) return "";
  check(typeof value === "string", () => `${at(row)}: is damaged`, DataError);
  return value;
}

function numberOf(value: unknown, at: (row: number) => string, row: number): number {
  if (value === null) return Number.NaN;
  const number = typeof value === "number" ? value : Number(value);
  const isKnown = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  check(isKnown, () => `${at(row)}: is damaged`, DataError);
  check(
    typeof value !== "bigint" || Number.isSafeInteger(number),
    () => `${at(row)}: ${value} is not below 2^53; store it as text`,
    DataError,
  );
  return number;
}

/** The values of one column in one group of rows. */
async function readChunk(
  source: ByteSource,
  element: SchemaElement,
  group: RowGroup,
  k: number,
): Promise<DecodedArray[]> {
  const { name: where } = source;
  const { meta_data: meta, file_path: elsewhere } = group.columns[k] ?? {};
  const isHere = meta?.path_in_schema?.join(".") === element.name && !elsewhere; // a damaged file may lack any field
  expectWhole(isHere && meta?.type === element.type, `column ${quote(element.name)} is damaged`, where);
  const { codec } = meta;
  check(
    PAGE_CODECS.includes(codec),
    () =>
      `${where}: column ${quote(element.name)} is packed by ${codec}, which is not read; write it with compression "snappy" or none`,
    DataError,
  );
  const begin = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const length = Number(meta.total_compressed_size);
  const bytes = new Uint8Array(source.read(begin, length)); // a copy: pages are found by their offset in its buffer
  const pages = unpackPages({
    where,
    bytes,
    type: String(element.type),
    optional: element.repetition_type !== "REQUIRED",
    packed: codec === "SNAPPY",
    numRows: Number(group.num_rows),
  });
  // A table of this column alone, because the package would go through all columns for each one.
  const alone: FileMetaData = {
    version: 1,
    schema: [{ name: "root", num_children: 1 }, element],
    num_rows: group.num_rows,
    row_groups: [{ ...group, columns: [{ file_offset: 0n, meta_data: meta }] }],
    metadata_length: 0,
  };
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decodeText = (text: Uint8Array) => {
    try {
      return decoder.decode(text);
    } catch {
      throw new DataError(`${where}: column ${quote(element.name)} must be text in UTF-8`);
    }
  };
  const chunks: DecodedArray[] = [];
  const { parquetRead } = await import("hyparquet");
  await decoded(where, () =>
    parquetRead({
      file: { byteLength: source.size, slice: () => bytes.buffer },
      metadata: alone,
      compressors: { SNAPPY: ({ byteOffset }) => pages.get(byteOffset)! },
      parsers: { stringFromBytes: decodeText },
      onChunk: ({ columnData }) => chunks.push(columnData),
    }),
  );
  return chunks;
}

/** Returns what the package returns. Anything that it throws means that the file is damaged. */
async function decoded<T>(where: string, decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof DataError) throw error;
    const { message } = error as Error;
    const what = message.startsWith("parquet") ? printable(message) : "its content is damaged"; // others name variables
    throw new DataError(`${where}: is no whole parquet file (${what})`);
  }
}

function expectWhole(condition: boolean, what: string, where: string): asserts condition {
  check(condition, () => `${where}: is no whole parquet file (${what})`, DataError);
}

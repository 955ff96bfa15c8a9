import { check, DataError } from "../../core/errors.ts";
import { unpackSnappy } from "./snappy.ts";
import { ThriftReader, type ThriftStruct } from "./thrift.ts";

/** The pages of one column in one group of rows, as they lie in a file. */
export interface ParquetPages {
  /** What error messages call the file. */
  readonly where: string;
  readonly bytes: Uint8Array;
  /** The physical type of a value. */
  readonly type: string;
  /** Rows may be without a value. */
  readonly optional: boolean;
  readonly packed: boolean;
  readonly numRows: number;
}

const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;
const DATA_PAGE_V2 = 3;

const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
const RUNS = 3;
const DELTA_NUMBERS = 5;
const DELTA_LENGTHS = 6;
const RUNS_DICTIONARY = 8;
const SPLIT_BYTES = 9;

/**
 * Unpacks the pages of a column. Keys are the positions of their packed bytes. All sizes are checked here, because the
 * package that decodes the pages trusts them: a wrong one would make it fill the memory or never end.
 */
export function unpackPages(chunk: ParquetPages): Map<number, Uint8Array> {
  const { where, bytes, numRows } = chunk;
  const contents = new Map<number, Uint8Array>();
  let rows = 0;
  let at = 0;
  while (rows < numRows) {
    const reader = new ThriftReader(bytes, at, where);
    const header = reader.struct();
    const kind = header.get(1);
    const begin = reader.at;
    const end = begin + numberAt(header, 3);
    expectWhole(begin <= end && end <= bytes.length, `a page of ${end - begin} bytes is cut off`, where);
    const page: Page = { chunk, begin, end, size: numberAt(header, 2), contents };
    if (kind === DICTIONARY_PAGE) unpackDictionary(page, structAt(header, 7));
    else {
      expectWhole(kind === DATA_PAGE || kind === DATA_PAGE_V2, `a page of kind ${kind}`, where);
      const about = structAt(header, kind === DATA_PAGE ? 5 : 8);
      const numValues = numberAt(about, 1);
      const left = numRows - rows;
      expectWhole(numValues >= 0 && numValues <= left, `a page of ${numValues} values where ${left} are left`, where);
      if (kind === DATA_PAGE) unpackVersion1(page, about, numValues);
      else unpackVersion2(page, about, numValues);
      rows += numValues;
    }
    at = end;
  }
  return contents;
}

interface Page {
  readonly chunk: ParquetPages;
  /** Where it lies in the bytes of the column. */
  readonly begin: number;
  readonly end: number;
  /** How many bytes it unpacks to. */
  readonly size: number;
  /** Unpacked pages, by the position of their packed bytes. */
  readonly contents: Map<number, Uint8Array>;
}

function unpackDictionary(page: Page, about: ThriftStruct): void {
  const numValues = numberAt(about, 1);
  expectWhole(numValues >= 0 && numValues <= page.size, `a dictionary of ${numValues} values`, page.chunk.where);
  unpack(page, page.begin, page.size);
}

/** A page of version 1. Levels, which say where a value is missing, are packed together with the values. */
function unpackVersion1(page: Page, about: ThriftStruct, numValues: number): void {
  const { where, optional } = page.chunk;
  const content = unpack(page, page.begin, page.size);
  const begin = optional ? 4 + lengthAt(content, 0) : 0;
  if (optional) checkRuns(content, 4, { where, count: numValues, width: 1 });
  const encoding = numberAt(about, 2);
  const isConstant = isDictionary(encoding) && content[begin] === 0; // numbers of 0 bits: the package reads no runs
  if (!isConstant) checkValues(page, content, { begin, encoding, count: numValues });
}

/** A page of version 2. Levels come before the values and are never packed. */
function unpackVersion2(page: Page, about: ThriftStruct, numValues: number): void {
  const { begin, end, size } = page;
  const { where, bytes, optional } = page.chunk;
  const numNulls = numberAt(about, 2);
  const levels = numberAt(about, 5);
  const fits = levels >= 0 && begin + levels <= end && (optional || levels === 0) && numberAt(about, 6) === 0;
  expectWhole(fits && numNulls >= 0 && numNulls <= numValues, "levels are damaged", where);
  if (optional) checkRuns(bytes.subarray(begin, end), 0, { where, count: numValues, width: 1 });
  const isPacked = about.get(7) !== false;
  const content = isPacked ? unpack(page, begin + levels, size - levels) : bytes.subarray(begin + levels, end);
  checkValues(page, content, { begin: 0, encoding: numberAt(about, 4), count: numValues - numNulls });
}

function unpack({ chunk, end, contents }: Page, begin: number, size: number): Uint8Array {
  const content = chunk.bytes.subarray(begin, end);
  const unpacked = chunk.packed ? unpackSnappy(content, size, chunk.where) : content;
  contents.set(begin, unpacked);
  return unpacked;
}

interface Values {
  readonly begin: number;
  readonly encoding: number;
  /** At most this many values. */
  readonly count: number;
}

function checkValues({ chunk: { where, type } }: Page, content: Uint8Array, { begin, encoding, count }: Values): void {
  expectWhole(begin >= 0 && begin <= content.length, "levels are damaged", where);
  const isFlag = type === "BOOLEAN";
  const isDelta = encoding === DELTA_NUMBERS || encoding === DELTA_LENGTHS;
  const isPlain = encoding === PLAIN || (encoding === SPLIT_BYTES && type !== "FIXED_LEN_BYTE_ARRAY");
  if (encoding === RUNS && isFlag) checkRuns(content, begin + 4, { where, count, width: 1 });
  else if (isDictionary(encoding) && !isFlag) {
    checkRuns(content, begin + 1, { where, count, width: content[begin] ?? 0 });
  } else if (isDelta) checkBlocks(content, begin, where);
  else
    check(
      isPlain,
      () => `${where}: has values in encoding ${encoding}, which is not read; write it without`,
      DataError,
    );
}

function isDictionary(encoding: number): boolean {
  return encoding === PLAIN_DICTIONARY || encoding === RUNS_DICTIONARY;
}

interface Runs {
  readonly where: string;
  readonly count: number;
  /** Bits per number. */
  readonly width: number;
}

/**
 * Checks runs, each of a repeated number or of packed numbers. Packed numbers come in groups of eight, of which the
 * last is filled up. The package reads packed numbers of 0 bits right only in the last run.
 */
function checkRuns(content: Uint8Array, begin: number, { where, count, width }: Runs): void {
  const reader = new ThriftReader(content, begin, where);
  for (let seen = 0; seen < count && reader.at < content.length; ) {
    const head = reader.varint();
    const isPacked = head % 2 === 1;
    const length = isPacked ? 8 * ((head - 1) / 2) : head / 2;
    const isLast = seen + length >= count;
    const fits = width <= 32 && length < count + 8 && (width > 0 || !isPacked || isLast);
    expectWhole(fits, `a run of ${length} values of ${count}`, where);
    reader.at += isPacked ? (length / 8) * width : Math.ceil(width / 8);
    seen += length;
  }
}

/** Checks the sizes of blocks of differences, which are multiples of 128 numbers in parts that are multiples of 32. */
function checkBlocks(content: Uint8Array, begin: number, where: string): void {
  const reader = new ThriftReader(content, begin, where);
  const size = reader.varint();
  const parts = reader.varint();
  const fits = size > 0 && size % 128 === 0 && size <= 2 ** 16 && parts > 0 && (size / parts) % 32 === 0;
  expectWhole(fits, `blocks of ${size} in ${parts} parts`, where);
}

function numberAt(struct: ThriftStruct | undefined, field: number): number {
  const value = struct?.get(field);
  return typeof value === "number" ? value : Number.NaN; // fails every check of a size
}

function structAt(struct: ThriftStruct, field: number): ThriftStruct {
  const value = struct.get(field);
  return value instanceof Map ? value : new Map();
}

function lengthAt(content: Uint8Array, at: number): number {
  if (at + 4 > content.length) return Number.NaN;
  return new DataView(content.buffer, content.byteOffset, content.length).getUint32(at, true);
}

function expectWhole(condition: boolean, what: string, where: string): void {
  check(condition, () => `${where}: is no whole parquet file (${what})`, DataError);
}

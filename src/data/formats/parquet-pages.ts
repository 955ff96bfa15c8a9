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
 * Unpacks pages, by the places of their packed bytes. The package that decodes them trusts every size it finds, and a wrong one would
 * make it fill the memory or never end; so all of them are checked here.
 */
export function unpackPages({ where, bytes, type, optional, packed, numRows }: ParquetPages): Map<number, Uint8Array> {
  const contents = new Map<number, Uint8Array>();
  const expect = (condition: boolean, what: string) =>
    check(condition, () => `${where}: is no whole parquet file (${what})`, DataError);
  let rows = 0;
  let at = 0;
  const unpack = (begin: number, end: number, size: number) => {
    const content = bytes.subarray(begin, end);
    const unpacked = packed ? unpackSnappy(content, size, where) : content;
    contents.set(begin, unpacked);
    return unpacked;
  };
  while (rows < numRows) {
    const reader = new ThriftReader(bytes, at, where);
    const header = reader.struct();
    at = reader.at;
    const kind = header.get(1);
    const size = numberAt(header, 2);
    const end = at + numberAt(header, 3);
    expect(at <= end && end <= bytes.length, `a page of ${end - at} bytes is cut off`);
    if (kind === DICTIONARY_PAGE) {
      const numValues = numberAt(structAt(header, 7), 1);
      expect(numValues >= 0 && numValues <= size, `a dictionary of ${numValues} values`);
      unpack(at, end, size);
    } else {
      expect(kind === DATA_PAGE || kind === DATA_PAGE_V2, `a page of kind ${kind}`);
      const about = structAt(header, kind === DATA_PAGE ? 5 : 8);
      const numValues = numberAt(about, 1);
      expect(
        numValues >= 0 && rows + numValues <= numRows,
        `a page of ${numValues} values, ${numRows - rows} expected`,
      );
      const runs = { where, count: numValues };
      if (kind === DATA_PAGE) {
        const content = unpack(at, end, size);
        const begin = optional ? 4 + lengthAt(content, 0) : 0;
        if (optional) checkRuns(content, 4, { ...runs, width: 1 });
        checkValues(content, begin, { ...runs, type, encoding: numberAt(about, 2) });
      } else {
        const numNulls = numberAt(about, 2);
        const levels = numberAt(about, 5);
        const fits = levels >= 0 && at + levels <= end && (optional || levels === 0) && numberAt(about, 6) === 0;
        expect(fits && numNulls >= 0 && numNulls <= numValues, "levels are damaged");
        if (optional) checkRuns(bytes.subarray(at, end), 0, { ...runs, width: 1 });
        const isPacked = about.get(7) !== false;
        const content = isPacked ? unpack(at + levels, end, size - levels) : bytes.subarray(at + levels, end);
        checkValues(content, 0, { ...runs, type, encoding: numberAt(about, 4) });
      }
      rows += numValues;
    }
    at = end;
  }
  return contents;
}

interface Runs {
  readonly where: string;
  /** How many values there are at most. */
  readonly count: number;
}

function checkValues(content: Uint8Array, at: number, about: Runs & { type: string; encoding: number }): void {
  const { where, count, type, encoding } = about;
  const isFlag = type === "BOOLEAN";
  const fits = at >= 0 && at <= content.length;
  check(fits, () => `${where}: is no whole parquet file (levels are damaged)`, DataError);
  const isNumbered = (encoding === PLAIN_DICTIONARY || encoding === RUNS_DICTIONARY) && !isFlag;
  const isDelta = encoding === DELTA_NUMBERS || encoding === DELTA_LENGTHS;
  const isPlain = encoding === PLAIN || (encoding === SPLIT_BYTES && type !== "FIXED_LEN_BYTE_ARRAY");
  if (encoding === RUNS && isFlag) checkRuns(content, at + 4, { where, count, width: 1 });
  else if (isNumbered) checkRuns(content, at + 1, { where, count, width: content[at] ?? 0 });
  else if (isDelta) checkBlocks(content, at, where);
  else
    check(
      isPlain,
      () => `${where}: has values in encoding ${encoding}, which is not read; write it without`,
      DataError,
    );
}

/** Checks runs of repeated or of packed numbers with `width` bits each. The last packed ones are filled up to eight. */
function checkRuns(content: Uint8Array, begin: number, { where, count, width }: Runs & { width: number }): void {
  const reader = new ThriftReader(content, begin, where);
  for (let seen = 0; seen < count && reader.at < content.length; ) {
    const head = reader.varint();
    const isPacked = head % 2 === 1;
    const length = isPacked ? 8 * ((head - 1) / 2) : head / 2;
    const fits = width <= 32 && length < count + 8 && (width > 0 || !isPacked);
    check(fits, () => `${where}: is no whole parquet file (a run of ${length} values of ${count})`, DataError);
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
  check(fits, () => `${where}: is no whole parquet file (blocks of ${size} in ${parts} parts)`, DataError);
}

function numberAt(struct: ThriftStruct | undefined, field: number): number {
  const value = struct?.get(field);
  return typeof value === "number" ? value : Number.NaN; // which no check of a size lets pass
}

function structAt(struct: ThriftStruct, field: number): ThriftStruct {
  const value = struct.get(field);
  return value instanceof Map ? value : new Map();
}

function lengthAt(content: Uint8Array, at: number): number {
  if (at + 4 > content.length) return Number.NaN;
  return new DataView(content.buffer, content.byteOffset, content.length).getUint32(at, true);
}

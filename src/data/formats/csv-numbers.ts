import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { headerNames } from "./csv-header.ts";
import { parseNumber } from "./parse-number.ts";
import { quote } from "./printable.ts";
import { unpackedChunks } from "./unpacked-chunks.ts";

/** A table of numbers, row by row. */
export interface NumberTable {
  readonly numRows: number;
  readonly numCols: number;
  readonly data: Float64Array | Float32Array;
}

export interface CsvOptions {
  /**
   * Store single precision floats, which take half the memory: for features. Default: doubles, which are exact for ids.
   */
  readonly single?: boolean;
  /** The number of columns every row must have. Default: that of the first row. */
  readonly numCols?: number;
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const PERCENT = 37;
const COMMA = 44;
const SEMICOLON = 59;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** A longer line is not tried as a header. */
const MAX_HEADER = 1 << 20;

/**
 * Reads csv or (where the name ends in .gz) gzipped csv of numbers as a stream: memory holds the numbers, never the text.
 * Columns are separated by commas, semicolons, tabs or spaces; lines may end in any way; lines that begin with # or % and a
 * header are skipped.
 */
export async function readNumbers(source: ByteSource, options: CsvOptions = {}): Promise<NumberTable> {
  const parser = new NumberParser(source.name, options);
  for await (const chunk of unpackedChunks(source)) parser.push(chunk);
  return parser.finish();
}

/**
 * As {@link readNumbers}, in tables of about `rows` rows each, for files that are larger than memory. Checks still hold
 * for the whole file: all tables must have the same number of columns.
 */
export async function* numberTables(
  source: ByteSource,
  rows: number,
  options: CsvOptions = {},
): AsyncGenerator<NumberTable> {
  const parser = new NumberParser(source.name, options);
  for await (const chunk of unpackedChunks(source)) {
    parser.push(chunk);
    if (parser.numRows >= rows) yield parser.take();
  }
  const rest = parser.finish();
  if (rest.numRows > 0) yield rest;
}

class NumberParser {
  private readonly name: string;
  private readonly single: boolean;
  private numCols: number;
  private data: Float64Array | Float32Array;
  private size = 0;
  private taken = false;
  private line = 1;
  private begun = false;
  private headerWidth = 0;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(name: string, { single = false, numCols = 0 }: CsvOptions) {
    this.name = name;
    this.single = single;
    this.numCols = numCols;
    this.data = single ? new Float32Array(1024) : new Float64Array(1024);
  }

  push(chunk: Uint8Array): void {
    let bytes = this.rest.length ? concat(this.rest, chunk) : chunk;
    if (!this.begun && bytes.length < BYTE_ORDER_MARK.length) {
      this.rest = bytes.slice();
      return;
    }
    if (!this.begun) bytes = withoutMark(bytes);
    this.begun = true;
    this.rest = bytes.slice(this.parseLines(bytes));
    check(
      this.rest.length < 2 ** 26,
      () => `${this.name}: line ${this.line} is longer than 64 MiB; is it a csv file?`,
      DataError,
    );
  }

  finish(): NumberTable {
    const rest = this.begun ? this.rest : withoutMark(this.rest);
    const begin = this.parseLines(rest);
    const end = rest[rest.length - 1] === RETURN ? rest.length - 1 : rest.length;
    if (end > begin) this.parseLine(rest, begin, end);
    return this.take();
  }

  /** Rows parsed since the last {@link take}. */
  get numRows(): number {
    return this.numCols ? this.size / this.numCols : 0;
  }

  /** The numbers parsed since they were last taken. */
  take(): NumberTable {
    const { numRows, numCols } = this;
    const data = this.data.slice(0, this.size);
    this.taken ||= this.size > 0;
    this.size = 0;
    return { numRows, numCols, data };
  }

  /**
   * Parses the lines that end inside of `bytes` and returns where the next one begins. A carriage return at the very
   * end may be the first half of \r\n, so it is left for the next chunk. Each kind of line end is searched for only
   * after the last one found was passed: a file without carriage returns is not searched again for every line.
   */
  private parseLines(bytes: Uint8Array): number {
    const find = (byte: number, from: number) => {
      const at = bytes.indexOf(byte, from);
      return at < 0 ? bytes.length : at;
    };
    let begin = 0;
    let newline = find(NEWLINE, 0);
    let carriage = find(RETURN, 0);
    for (;;) {
      const end = Math.min(newline, carriage);
      const unsure = end === carriage && end === bytes.length - 1;
      if (end === bytes.length || unsure) return begin;
      this.parseLine(bytes, begin, end);
      begin = end + (bytes[end] === RETURN && bytes[end + 1] === NEWLINE ? 2 : 1);
      if (newline < begin) newline = find(NEWLINE, begin);
      if (carriage < begin) carriage = find(RETURN, begin);
    }
  }

  private parseLine(bytes: Uint8Array, begin: number, end: number): void {
    const before = this.size;
    const comment = bytes[begin] === HASH || bytes[begin] === PERCENT;
    for (let at = begin; at < end && !comment; ) {
      let stop = at;
      while (stop < end && !isSeparator(bytes[stop])) stop++;
      const value = parseNumber(bytes, at, stop);
      if (value === undefined) {
        this.size = before;
        this.takeHeader(bytes, begin, end, at, stop);
        break;
      }
      this.store(value);
      at = stop + 1;
      while (at < end && bytes[at] === SPACE) at++;
    }
    this.checkWidth(this.size - before);
    this.line++;
  }

  /** Takes a line that is not numbers as the header if it comes first and looks like one; otherwise throws. */
  private takeHeader(bytes: Uint8Array, begin: number, end: number, at: number, stop: number): void {
    const text = new TextDecoder().decode(bytes.subarray(begin, Math.min(end, begin + MAX_HEADER)));
    const names =
      end - begin <= MAX_HEADER && this.size === 0 && !this.taken && this.headerWidth === 0
        ? headerNames(text)
        : undefined;
    const found = quote(new TextDecoder().decode(bytes.subarray(at, Math.min(stop, at + 80))));
    check(names !== undefined, () => `${this.name}: line ${this.line}: number expected, got ${found}`, DataError);
    this.headerWidth = names.length;
  }

  private checkWidth(width: number): void {
    if (width === 0) return; // an empty line, a comment or column names
    if (this.numCols === 0) this.numCols = width;
    check(
      width === this.numCols,
      () => `${this.name}: line ${this.line} has ${width} columns, must have ${this.numCols}`,
      DataError,
    );
    check(
      this.headerWidth === 0 || this.headerWidth === width,
      () => `${this.name}: line ${this.line} has ${width} columns, but the header has ${this.headerWidth}`,
      DataError,
    );
  }

  private store(value: number): void {
    if (this.size === this.data.length) {
      const larger = this.single ? new Float32Array(2 * this.size) : new Float64Array(2 * this.size);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.size++] = value;
  }
}

function isSeparator(byte: number): boolean {
  return byte === COMMA || byte === SPACE || byte === TAB || byte === SEMICOLON;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

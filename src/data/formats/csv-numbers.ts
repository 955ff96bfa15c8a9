import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { parseNumber } from "./parse-number.ts";
import { quote } from "./printable.ts";
import { MAX_EXPANSION, unpackedLimit } from "./unpacked-limit.ts";

/** A table of numbers, row by row. */
export interface NumberTable {
  readonly numRows: number;
  readonly numCols: number;
  readonly data: Float64Array | Float32Array;
}

export interface CsvOptions {
  /** Precision of the result. Default: doubles, exact for ids; features take half the memory as floats. */
  readonly single?: boolean;
  /** The number of columns every row must have. Default: that of the first row. */
  readonly numCols?: number;
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const COMMA = 44;
const SEMICOLON = 59;

/** Bytes that are taken from a source at once. */
const CHUNK = 1 << 20;

/**
 * Reads csv or (where the name ends in .gz) gzipped csv of numbers as a stream: memory holds the numbers, never the text.
 * Columns are separated by commas, semicolons, tabs or spaces; lines that begin with # and a first line of names are
 * skipped.
 */
export async function readNumbers(source: ByteSource, options: CsvOptions = {}): Promise<NumberTable> {
  const { name } = source;
  const parser = new NumberParser(name, options);
  const limit = unpackedLimit(source.size);
  let unpacked = 0;
  try {
    for await (const chunk of name.endsWith(".gz") ? gunzip(source) : chunksOf(source)) {
      unpacked += chunk.length;
      check(
        unpacked <= limit,
        () => `${name}: unpacks to more than ${MAX_EXPANSION} times its size; refused`,
        DataError,
      );
      parser.push(chunk);
    }
  } catch (error) {
    if (error instanceof DataError) throw error;
    const { code, message } = error as Error & { code?: string };
    throw new DataError(`${name}: cannot be read (${code ?? message}); is it whole?`);
  }
  return parser.finish();
}

function* chunksOf(source: ByteSource): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < source.size; at += CHUNK) {
    yield source.read(at, Math.min(CHUNK, source.size - at)) as Uint8Array<ArrayBuffer>;
  }
}

/** Unpacks with what browsers and Node share. A source of several gzip members one after the other is refused by it. */
async function* gunzip(source: ByteSource): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(source);
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // where reading ended early, whatever follows is not wanted
  }
}

class NumberParser {
  private readonly name: string;
  private readonly single: boolean;
  private numCols: number;
  private data: Float64Array | Float32Array;
  private size = 0;
  private line = 1;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(name: string, { single = false, numCols = 0 }: CsvOptions) {
    this.name = name;
    this.single = single;
    this.numCols = numCols;
    this.data = single ? new Float32Array(1024) : new Float64Array(1024);
  }

  push(chunk: Uint8Array): void {
    const bytes = this.rest.length ? concat(this.rest, chunk) : chunk;
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
      this.parseLine(bytes, begin, end);
      begin = end + 1;
    }
    this.rest = bytes.slice(begin);
    check(
      this.rest.length < 2 ** 26,
      () => `${this.name}: line ${this.line} is longer than 64 MiB; is it a csv file?`,
      DataError,
    );
  }

  finish(): NumberTable {
    if (this.rest.length) this.parseLine(this.rest, 0, this.rest.length);
    const data = this.data.slice(0, this.size);
    return { numRows: this.numCols ? this.size / this.numCols : 0, numCols: this.numCols, data };
  }

  private parseLine(bytes: Uint8Array, begin: number, end: number): void {
    if (bytes[end - 1] === RETURN && end > begin) end--;
    const before = this.size;
    for (let at = begin; at < end && bytes[begin] !== HASH; ) {
      let stop = at;
      while (stop < end && !isSeparator(bytes[stop])) stop++;
      const value = parseNumber(bytes, at, stop);
      if (value === undefined) {
        if (this.line === 1) {
          this.size = before; // a line of column names
          break;
        }
        const text = quote(String.fromCharCode(...bytes.subarray(at, Math.min(stop, at + 80))));
        throw new DataError(`${this.name}: line ${this.line}: number expected, got ${text}`);
      }
      this.store(value);
      at = stop + 1;
      while (at < end && bytes[at] === SPACE) at++;
    }
    this.checkWidth(this.size - before);
    this.line++;
  }

  private checkWidth(width: number): void {
    if (width === 0) return; // an empty line, a comment or column names
    if (this.numCols === 0) this.numCols = width;
    check(
      width === this.numCols,
      () => `${this.name}: line ${this.line} has ${width} columns, must have ${this.numCols}`,
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

import { check, DataError } from "../../core/errors.ts";

/** Fields of a struct by their numbers. Text and lists are not kept. */
export type ThriftStruct = Map<number, number | boolean | ThriftStruct>;

const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const INT16 = 4;
const INT32 = 5;
const INT64 = 6;
const DOUBLE = 7;
const TEXT = 8;
const LIST = 9;
const STRUCT = 12;

/** Most levels of structs in structs; those of parquet are a few deep. */
const MAX_DEPTH = 32;

/**
 * A cursor over the compact protocol of Thrift, in which parquet describes itself. Every step is checked against the
 * end of the bytes, and the length of a list against the bytes left. A struct that was read here has no sizes that
 * could mislead another reader.
 */
export class ThriftReader {
  at: number;
  private readonly bytes: Uint8Array;
  private readonly where: string;

  constructor(bytes: Uint8Array, at: number, where: string) {
    this.bytes = bytes;
    this.at = at;
    this.where = where;
  }

  struct(depth = 0): ThriftStruct {
    this.expect(depth < MAX_DEPTH, "structs are too deep");
    const fields: ThriftStruct = new Map();
    for (let id = 0; ; ) {
      const head = this.byte();
      const type = head & 0x0f;
      if (type === STOP) return fields;
      id = head >> 4 ? id + (head >> 4) : this.zigzag();
      const value = this.value(type, depth);
      if (value !== undefined) fields.set(id, value);
    }
  }

  /** An unsigned number of up to ten bytes; above 2^53 it is rounded. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      this.expect(scale < 2 ** 64, "a number is too long");
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  private value(type: number, depth: number): number | boolean | ThriftStruct | undefined {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === STRUCT) return this.struct(depth + 1);
    if (type === INT64) return this.zigzag();
    if (type === INT16 || type === INT32) return this.int32();
    if (type === BYTE) this.skip(1);
    else if (type === DOUBLE) this.skip(8);
    else if (type === TEXT) this.skip(this.varint());
    else if (type === LIST) this.list(depth);
    else this.expect(false, `type ${type} is unknown`);
    return undefined;
  }

  private list(depth: number): void {
    const head = this.byte();
    const type = head & 0x0f;
    const size = head >> 4 === 15 ? this.varint() : head >> 4;
    this.expect(size <= this.bytes.length - this.at, `a list of ${size} is cut off`);
    const isFlag = type === TRUE || type === FALSE; // flags take a byte in lists
    for (let i = 0; i < size; i++) this.value(isFlag ? BYTE : type, depth);
  }

  private int32(): number {
    const value = this.zigzag();
    this.expect(value === Math.trunc(value) && Math.abs(value) <= 2 ** 31, `${value} has more than 32 bits`);
    return value;
  }

  /** Even numbers stand for 0, 1, 2, …, odd ones for −1, −2, … */
  private zigzag(): number {
    const folded = this.varint();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  private byte(): number {
    this.skip(1);
    return this.bytes[this.at - 1];
  }

  private skip(length: number): void {
    this.expect(this.at + length <= this.bytes.length, "it ends too early");
    this.at += length;
  }

  private expect(condition: boolean, what: string): void {
    check(condition, () => `${this.where}: is no whole parquet file (${what} at byte ${this.at})`, DataError);
  }
}

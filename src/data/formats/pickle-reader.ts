import { check, DataError } from "../../core/errors.ts";

const MAX_EXPANSION = 8;

/** A cursor over the bytes of a pickle; every step is checked against their end. */
export class PickleReader {
  at = 0;
  private spent = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  readonly where: string;

  constructor(bytes: Uint8Array, where: string) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.where = where;
  }

  /**
   * Counts bytes of arrays as they are made. A pickle can refer to one string any number of times, so without a limit a
   * small file could fill the memory.
   */
  spend(bytes: number): void {
    this.spent += bytes;
    const limit = MAX_EXPANSION * this.bytes.length;
    check(
      this.spent <= limit,
      () => `${this.where}: arrays of the pickle need more than ${MAX_EXPANSION} times its bytes; refused`,
      DataError,
    );
  }

  fail(message: string): never {
    throw new DataError(`${this.where}: byte ${this.at} of the pickle: ${message}`);
  }

  take(length: number): Uint8Array {
    const at = this.at;
    const total = this.bytes.length;
    check(
      length >= 0 && at + length <= total,
      () => `${this.where}: pickle needs ${length} bytes at ${at}, but it has ${total}; is it cut off?`,
      DataError,
    );
    this.at += length;
    return this.bytes.subarray(at, at + length);
  }

  uint8 = () => this.take(1)[0];
  uint16 = () => this.number(2, (at) => this.view.getUint16(at, true));
  int32 = () => this.number(4, (at) => this.view.getInt32(at, true));
  uint32 = () => this.number(4, (at) => this.view.getUint32(at, true));
  uint64 = () => this.number(8, (at) => Number(this.view.getBigUint64(at, true)));
  float64 = () => this.number(8, (at) => this.view.getFloat64(at, false));

  private number(length: number, get: (at: number) => number): number {
    this.take(length);
    return get(this.at - length);
  }

  /** Text up to the end of the line, as protocol 0 writes its arguments. */
  line(): string {
    const end = this.bytes.indexOf(0x0a, this.at);
    check(end >= 0, () => `${this.where}: pickle ends inside a line at byte ${this.at}; is it cut off?`, DataError);
    const text = latin1(this.take(end - this.at));
    this.at++;
    return text;
  }

  /** A little-endian two's complement integer of any length; beyond 2^53 it is an error. */
  long(length: number): number {
    let value = 0n;
    const bytes = length <= 8 ? this.take(length) : this.fail(`integer of ${length} bytes is too large`);
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
    const signed = Number(BigInt.asIntN(8 * length, value));
    return Number.isSafeInteger(signed) ? signed : this.fail(`integer ${signed} is too large`);
  }
}

/** One character per byte, the encoding of Python 2 strings. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

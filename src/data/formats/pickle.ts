import { build, type Calls, findGlobal, isGlobal, type PickleValue } from "./pickle-globals.ts";
import { latin1, PickleReader } from "./pickle-reader.ts";
import { quote } from "./printable.ts";

const MARK = Symbol("mark");

/**
 * Reads a Python pickle (protocols 0 to 5) that holds numbers, text, containers, numpy arrays and scipy CSR matrices.
 * Nothing in the file is ever run: a pickle names functions to call, and every name that is not on the short list of
 * `pickle-globals.ts` is an error.
 */
export function parsePickle(bytes: Uint8Array, where: string, more: PickleExtension = {}): PickleValue {
  return new Unpickler(new PickleReader(bytes, where), more).run();
}

/** What a format that is built on pickles adds to them. */
export interface PickleExtension {
  /** Names that may be called beside the usual ones, as `module name`. */
  readonly calls?: Calls;
  /** Gives the value for an id of something outside the pickle. Without this function, such ids are an error. */
  readonly persistent?: (id: PickleValue, reader: PickleReader) => PickleValue;
}

class Unpickler {
  private readonly stack: (PickleValue | typeof MARK)[] = [];
  private readonly memo = new Map<number, PickleValue>();
  private readonly reader: PickleReader;
  private readonly more: PickleExtension;

  constructor(reader: PickleReader, more: PickleExtension) {
    this.reader = reader;
    this.more = more;
  }

  run(): PickleValue {
    for (;;) {
      const opcode = String.fromCharCode(this.reader.uint8());
      if (opcode === ".") return this.pop();
      const step = STEPS[opcode] ?? this.reader.fail(`unknown opcode ${quote(opcode)}`);
      step(this, this.reader);
    }
  }

  push(value: PickleValue): void {
    this.stack.push(value);
  }
  mark(): void {
    this.stack.push(MARK);
  }
  pop(): PickleValue {
    const value = this.stack.pop();
    return value === undefined || value === MARK ? this.reader.fail("nothing is on the stack") : value;
  }
  /** Removes whatever is on top, a mark included. */
  drop(): void {
    if (this.stack.pop() === undefined) this.reader.fail("nothing is on the stack");
  }
  top(): PickleValue {
    const value = this.pop();
    this.push(value);
    return value;
  }
  /** Removes the last mark and everything above it, which is returned. */
  popToMark(): PickleValue[] {
    const at = this.stack.lastIndexOf(MARK);
    if (at < 0) this.reader.fail("no mark is on the stack");
    return this.stack.splice(at).slice(1) as PickleValue[];
  }
  popMany(count: number): PickleValue[] {
    return Array.from({ length: count }, () => this.pop()).reverse();
  }

  remember(index: number = this.memo.size): void {
    this.memo.set(index, this.top());
  }
  recall(index: number): void {
    const value = this.memo.get(index);
    this.push(value === undefined ? this.reader.fail(`nothing was remembered as ${index}`) : value);
  }

  append(values: PickleValue[]): void {
    const list = this.top();
    if (!Array.isArray(list)) this.reader.fail("appends to something that is not a list");
    for (const value of values) list.push(value);
  }
  setItems(pairs: PickleValue[]): void {
    const map = this.top();
    if (!(map instanceof Map) || pairs.length % 2) this.reader.fail("sets items of something that is not a dictionary");
    for (let i = 0; i < pairs.length; i += 2) {
      const key = pairs[i];
      map.set(key instanceof Uint8Array ? latin1(key) : key, pairs[i + 1]);
    }
  }
  call(): void {
    const [callable, args] = this.popMany(2);
    if (!isGlobal(callable) || !Array.isArray(args)) this.reader.fail("calls something that is not a known name");
    this.push(callable.call(args, this.reader));
  }
  global(module: PickleValue, name: PickleValue): void {
    if (typeof module !== "string" || typeof name !== "string") this.reader.fail("a name must be text");
    this.push(findGlobal(module, name, this.reader.where, this.more.calls));
  }
  persistent(): void {
    const id = this.pop();
    const { persistent } = this.more;
    if (persistent === undefined) this.reader.fail("refers to something outside of it");
    this.push(persistent(id, this.reader));
  }
}

type Step = (machine: Unpickler, reader: PickleReader) => void;

const utf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Protocol 0 writes numbers as lines of decimal text; `01` and `00` are its booleans, `L` ends a long one. */
function decimal(reader: PickleReader): number | boolean {
  const line = reader.line();
  if (line === "01" || line === "00") return line === "01";
  const value = Number(line.replace(/L$/, ""));
  return line.trim() !== "" && Number.isSafeInteger(value)
    ? value
    : reader.fail(`integer expected, got ${quote(line)}`);
}

/** Protocol 0 writes a Python 2 string as it would be typed, with quotes and backslashes. */
function quoted(reader: PickleReader): Uint8Array {
  const line = reader.line();
  const inner = /^(['"])(.*)\1$/s.exec(line)?.[2] ?? reader.fail(`quoted text expected, got ${quote(line)}`);
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", "\\": "\\", "'": "'", '"': '"' };
  const text = inner.replace(/\\(x[\da-fA-F]{2}|.)/gs, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? `\\${code}`),
  );
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Protocol 0 writes text as latin-1 with `\\u` escapes for the rest. */
function unescaped(reader: PickleReader): string {
  return reader.line().replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g, (_, short?: string, long?: string) => {
    const point = Number.parseInt(short ?? long!, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : reader.fail(`${point} is not a Unicode character`);
  });
}

/** What each opcode does, by the character that stands for it. */
const STEPS: Readonly<Record<string, Step>> = {
  "\x80": (_, r) => void r.uint8(), // protocol
  "\x95": (_, r) => void r.take(8), // frame: a hint for buffered reading
  "(": (m) => m.mark(),
  "0": (m) => m.drop(),
  "1": (m) => void m.popToMark(),
  "2": (m) => m.push(m.top()),
  N: (m) => m.push(null),
  "\x88": (m) => m.push(true),
  "\x89": (m) => m.push(false),
  I: (m, r) => m.push(decimal(r)),
  L: (m, r) => m.push(decimal(r)),
  J: (m, r) => m.push(r.int32()),
  K: (m, r) => m.push(r.uint8()),
  M: (m, r) => m.push(r.uint16()),
  "\x8a": (m, r) => m.push(r.long(r.uint8())),
  "\x8b": (m, r) => m.push(r.long(r.int32())),
  F: (m, r) => m.push(Number(r.line())),
  G: (m, r) => m.push(r.float64()),
  S: (m, r) => m.push(quoted(r)),
  T: (m, r) => m.push(r.take(r.int32())),
  U: (m, r) => m.push(r.take(r.uint8())),
  B: (m, r) => m.push(r.take(r.uint32())),
  C: (m, r) => m.push(r.take(r.uint8())),
  "\x8e": (m, r) => m.push(r.take(r.uint64())),
  "\x96": (m, r) => m.push(r.take(r.uint64())),
  V: (m, r) => m.push(unescaped(r)),
  X: (m, r) => m.push(utf8(r.take(r.uint32()))),
  "\x8c": (m, r) => m.push(utf8(r.take(r.uint8()))),
  "\x8d": (m, r) => m.push(utf8(r.take(r.uint64()))),
  "]": (m) => m.push([]),
  ")": (m) => m.push([]),
  "}": (m) => m.push(new Map()),
  l: (m) => m.push(m.popToMark()),
  t: (m) => m.push(m.popToMark()),
  d: (m) => {
    const pairs = m.popToMark();
    m.push(new Map());
    m.setItems(pairs);
  },
  "\x85": (m) => m.push(m.popMany(1)),
  "\x86": (m) => m.push(m.popMany(2)),
  "\x87": (m) => m.push(m.popMany(3)),
  a: (m) => m.append(m.popMany(1)),
  e: (m) => m.append(m.popToMark()),
  s: (m) => m.setItems(m.popMany(2)),
  u: (m) => m.setItems(m.popToMark()),
  p: (m, r) => m.remember(Number(r.line())),
  q: (m, r) => m.remember(r.uint8()),
  r: (m, r) => m.remember(r.uint32()),
  "\x94": (m) => m.remember(),
  g: (m, r) => m.recall(Number(r.line())),
  h: (m, r) => m.recall(r.uint8()),
  j: (m, r) => m.recall(r.uint32()),
  c: (m, r) => m.global(r.line(), r.line()),
  "\x93": (m) => m.global(...(m.popMany(2) as [PickleValue, PickleValue])),
  Q: (m) => m.persistent(),
  R: (m) => m.call(),
  "\x81": (m) => m.call(), // NEWOBJ: cls.__new__(cls, *args)
  b: (m, r) => {
    const state = m.pop();
    build(m.top(), state, r);
  },
};

import { check, DataError } from "../../core/errors.ts";
import { type Csr, transpose } from "../../graph/csr.ts";
import { csrFromArrays } from "./csr-from-arrays.ts";
import { checkEntriesShape } from "./entries-shape.ts";
import { decodeArray, type NpyArray } from "./npy.ts";
import { toCounts, toFloat32, toInt32 } from "./npy-cast.ts";
import { latin1, type PickleReader } from "./pickle-reader.ts";
import { printable } from "./printable.ts";

/** What a pickle may hold. Lists and tuples are arrays, dictionaries are maps, Python 2 strings are bytes. */
export type PickleValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | PickleValue[]
  | Map<PickleValue, PickleValue>
  | PickleObject
  | PickleGlobal;

/** An object under construction: made by calling a class, filled by a later BUILD opcode. */
export interface PickleObject {
  readonly kind: "array" | "dtype" | "csr" | "csc" | "record";
  array?: NpyArray;
  /** The items of an array of Python objects. */
  objects?: PickleValue[];
  descr?: string;
  csr?: Csr;
  /** The attributes of an object of some class. */
  fields?: Map<PickleValue, PickleValue>;
}

/** A name that the unpickler knows how to call; every other name is an error. */
export interface PickleGlobal {
  readonly name: string;
  call(args: readonly PickleValue[], reader: PickleReader): PickleValue;
}

const array = (): PickleObject => ({ kind: "array" });
const matrix = (): PickleObject => ({ kind: "csr" });
const columnMatrix = (): PickleObject => ({ kind: "csc" });
const dtype = (args: readonly PickleValue[]): PickleObject => ({ kind: "dtype", descr: text(args[0]) });
/** In old protocols, Python 3 writes bytes as text and a call that encodes it: one byte per character. */
const encode = (args: readonly PickleValue[], { where }: PickleReader) => {
  const source = text(args[0]);
  check(!/[^\0-\xff]/.test(source), () => `${where}: bytes in the pickle must be latin-1 text`, DataError);
  return Uint8Array.from(source, (character) => character.charCodeAt(0));
};
const first = (args: readonly PickleValue[], reader: PickleReader): PickleValue => {
  const made = args[0];
  check(isGlobal(made), () => `${reader.where}: pickle rebuilds an object that is not a known class`, DataError);
  return made.call([], reader);
};

/** What a call of each name does; keys are `module name`. */
export type Calls = Readonly<Record<string, PickleGlobal["call"]>>;

const CALLS: Calls = {
  "numpy ndarray": array,
  "numpy dtype": dtype,
  "numpy.core.multiarray _reconstruct": array,
  "numpy._core.multiarray _reconstruct": array,
  "numpy.core.numeric _frombuffer": fromBuffer,
  "numpy._core.numeric _frombuffer": fromBuffer,
  "scipy.sparse.csr csr_matrix": matrix,
  "scipy.sparse._csr csr_matrix": matrix,
  "scipy.sparse._csr csr_array": matrix,
  "scipy.sparse.csc csc_matrix": columnMatrix,
  "scipy.sparse._csc csc_matrix": columnMatrix,
  "scipy.sparse._csc csc_array": columnMatrix,
  "copy_reg _reconstructor": first,
  "copyreg _reconstructor": first,
  "_codecs encode": encode,
  "collections defaultdict": () => new Map(),
  "collections OrderedDict": () => new Map(),
  "__builtin__ list": () => [],
  "builtins list": () => [],
  "__builtin__ object": () => null,
  "builtins object": () => null,
};

/** Looks up `module name`. An unknown one is an error that says which name the file wanted to run. */
export function findGlobal(module: string, name: string, where: string, more: Calls = {}): PickleGlobal {
  const full = `${module} ${name}`;
  const calls = Object.hasOwn(more, full) ? more : CALLS;
  const known = Object.hasOwn(calls, full);
  check(
    known,
    () =>
      `${where}: pickle refers to ${printable(`${module}.${name}`)}; only numpy arrays, scipy CSR matrices and containers are read`,
    DataError,
  );
  return { name: full, call: calls[full] };
}

/** Fills an object with its pickled state, as `__setstate__` would. */
export function build(object: PickleValue, state: PickleValue, reader: PickleReader): void {
  if (!isObject(object)) throw new DataError(`${reader.where}: pickle sets the state of something that has none`);
  if (object.kind === "record") object.fields = fieldsOf(state, reader);
  else if (object.kind === "dtype") buildDtype(object, state);
  else if (object.kind === "array") fillArray(object, state, reader);
  else if (object.kind === "csr") object.csr = buildCsr(state, reader);
  else object.csr = transpose(buildCsr(state, reader, true));
}

function fieldsOf(state: PickleValue, { where }: PickleReader): Map<PickleValue, PickleValue> {
  const fields = Array.isArray(state) ? state[0] : state; // with slots, the state is a pair
  check(fields instanceof Map, () => `${where}: the state of an object in the pickle must be a dictionary`, DataError);
  return fields;
}

/** State of a dtype: (version, byte order, …). */
function buildDtype(object: PickleObject, state: PickleValue): void {
  const order = Array.isArray(state) ? text(state[1]) : "";
  object.descr = `${order === ">" ? ">" : "<"}${object.descr!.replace(/^[<>|=]/, "")}`;
}

/** The state of an array of Python objects ends in a list of them, that of any other array in its bytes. */
function fillArray(object: PickleObject, state: PickleValue, reader: PickleReader): void {
  const items = Array.isArray(state) && state.length === 5 ? state[4] : undefined;
  if (Array.isArray(items)) object.objects = items;
  else object.array = buildArray(state, reader);
}

/** State of an array: (version, shape, dtype, Fortran order, bytes). */
function buildArray(state: PickleValue, reader: PickleReader): NpyArray {
  const parts = Array.isArray(state) && state.length === 5 ? state : [];
  return arrayOf(parts[4], parts[2], parts[1], parts[3] === true, reader);
}

function fromBuffer(args: readonly PickleValue[], reader: PickleReader): PickleObject {
  const [bytes, dtype, shape, order] = args;
  return { kind: "array", array: arrayOf(bytes, dtype, shape, text(order) === "F", reader) };
}

function arrayOf(
  bytes: PickleValue | undefined,
  dtype: PickleValue | undefined,
  shape: PickleValue | undefined,
  fortran: boolean,
  reader: PickleReader,
): NpyArray {
  const { where } = reader;
  const whole = bytes instanceof Uint8Array && isObject(dtype) && dtype.kind === "dtype" && isShape(shape);
  check(
    whole,
    () => `${where}: array in the pickle must have a shape, a type and bytes (pickled objects are not read)`,
    DataError,
  );
  reader.spend(bytes.length);
  return decodeArray(bytes, dtype.descr!, shape, fortran, where);
}

/** The matrix of compressed rows. With `columns`, columns were compressed and this is the transposed matrix. */
function buildCsr(state: PickleValue, reader: PickleReader, columns = false): Csr {
  const { where } = reader;
  const part = (key: string) => (state instanceof Map ? state.get(key) : undefined);
  const arrayPart = (key: string): NpyArray => {
    const value = part(key);
    const found = isObject(value) ? value.array : undefined;
    check(found !== undefined, () => `${where}: CSR matrix in the pickle must have an array "${key}"`, DataError);
    return found;
  };
  const stored = part("_shape");
  const shape = columns && Array.isArray(stored) ? stored.slice().reverse() : stored;
  check(isShape(shape), () => `${where}: CSR matrix in the pickle must have a shape`, DataError);
  reader.spend(arrayPart("indptr").data.byteLength + arrayPart("indices").data.byteLength);
  const rowPtr = toCounts(arrayPart("indptr"), `${where}: indptr`);
  const colIdx = toInt32(arrayPart("indices"), `${where}: indices`);
  if (columns) checkEntriesShape(where, shape, rowPtr.length + colIdx.length);
  const values = toFloat32(arrayPart("data"), `${where}: data`);
  return csrFromArrays({ shape, rowPtr, colIdx, values }, where);
}

export function isObject(value: PickleValue | undefined): value is PickleObject {
  return typeof value === "object" && value !== null && "kind" in value;
}

export function isGlobal(value: PickleValue | undefined): value is PickleGlobal {
  return typeof value === "object" && value !== null && "call" in value;
}

function isShape(value: PickleValue | undefined): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && (size as number) >= 0);
}

function text(value: PickleValue | undefined): string {
  if (value instanceof Uint8Array) return latin1(value);
  return typeof value === "string" ? value : "";
}

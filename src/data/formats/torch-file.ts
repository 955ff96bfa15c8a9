import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import type { NpyArray } from "./npy.ts";
import { decodeNumbers, type NpyData } from "./npy-dtype.ts";
import { parsePickle } from "./pickle.ts";
import type { Calls, PickleObject, PickleValue } from "./pickle-globals.ts";
import { Zip } from "./zip.ts";

/** NumPy's code for the numbers of a storage, by the class that the pickle names. */
const STORAGES: Readonly<Record<string, string>> = {
  DoubleStorage: "f8",
  FloatStorage: "f4",
  HalfStorage: "f2",
  LongStorage: "i8",
  IntStorage: "i4",
  ShortStorage: "i2",
  CharStorage: "i1",
  ByteStorage: "u1",
  BoolStorage: "b1",
};

/** Tensors may share a storage; together they may not be larger than this many times the file. */
const MAX_EXPANSION = 8;

/**
 * Reads a file of `torch.save`: a zip archive of a pickle and of the storages that it refers to. Tensors become arrays, objects of
 * PyTorch Geometric become records of their attributes. Nothing in the file is ever run: see `parsePickle`.
 */
export function readTorchFile(source: ByteSource): PickleValue {
  const zip = new Zip(source);
  const pickle = [...zip.members.keys()].find((name) => /(^|\/)data\.pkl$/.test(name));
  check(pickle !== undefined, () => `${source.name}: is no file of torch.save (it has no data.pkl)`, DataError);
  const folder = pickle.slice(0, -"data.pkl".length);
  const order = `${folder}byteorder`;
  const little = !zip.has(order) || new TextDecoder().decode(zip.read(order)) === "little";
  check(little, () => `${source.name}: numbers must be little-endian; save it on another machine`, DataError);
  const storages = new Storages(zip, folder, source);
  return parsePickle(zip.read(pickle), source.name, {
    calls: { ...records, ...storageNames, ...storages.calls() },
    persistent: (id) => storages.of(id),
  });
}

const record = (): PickleObject => ({ kind: "record" });
/** Classes whose objects are read as records of their attributes. */
const records: Calls = Object.fromEntries(
  [
    "torch_geometric.data.data Data",
    "torch_geometric.data.data DataEdgeAttr",
    "torch_geometric.data.data DataTensorAttr",
    "torch_geometric.data.storage GlobalStorage",
    "torch_geometric.data.storage BaseStorage",
  ].map((name) => [name, record]),
);
/** The pickle names classes of storages but does not call them. */
const storageNames: Calls = Object.fromEntries(Object.keys(STORAGES).map((name) => [`torch ${name}`, record]));

/** The storages of a file, whose numbers tensors are views of. */
class Storages {
  private readonly zip: Zip;
  private readonly folder: string;
  private readonly where: string;
  private left: number;
  private readonly read = new Map<string, PickleObject>();

  constructor(zip: Zip, folder: string, { name, size }: ByteSource) {
    this.zip = zip;
    this.folder = folder;
    this.where = name;
    this.left = MAX_EXPANSION * size;
  }

  /** The storage with the id ("storage", class, key, device, length). */
  of(id: PickleValue): PickleObject {
    const [kind, type, key] = Array.isArray(id) ? id : [];
    const name = typeof type === "object" && type !== null && "name" in type ? type.name.replace("torch ", "") : "";
    const code = Object.hasOwn(STORAGES, name) ? STORAGES[name] : undefined;
    check(
      kind === "storage" && code !== undefined && typeof key === "string" && /^\d{1,9}$/.test(key),
      () => `${this.where}: a tensor refers to numbers of an unknown kind`,
      DataError,
    );
    const known = this.read.get(key);
    if (known) return known;
    const bytes = this.zip.read(`${this.folder}data/${key}`);
    const itemBytes = Number(code.slice(1));
    const count = Math.floor(bytes.length / itemBytes);
    const data = decodeNumbers(bytes, 0, count, { code, bigEndian: false, itemBytes });
    const made: PickleObject = { kind: "array", array: { dtype: code === "f2" ? "f4" : code, shape: [count], data } };
    this.read.set(key, made);
    return made;
  }

  calls(): Calls {
    const rebuild = (args: readonly PickleValue[]) => this.tensor(args);
    return { "torch._utils _rebuild_tensor_v2": rebuild, "torch._utils _rebuild_parameter": (args) => args[0] };
  }

  /** The tensor (storage, offset, sizes, strides, …) as an array in C order. */
  private tensor([storage, offset, sizes, strides]: readonly PickleValue[]): PickleObject {
    const array = typeof storage === "object" && storage !== null && "kind" in storage ? storage.array : undefined;
    const whole = array !== undefined && isCount(offset) && isCounts(sizes) && isCounts(strides);
    check(whole && sizes.length === strides.length && sizes.length <= 2, () => this.unknown(sizes), DataError);
    const numbers = sizes.reduce((product, size) => product * size, 1);
    const last = sizes.reduce((at, size, k) => at + (size - 1) * strides[k], offset);
    check(
      numbers === 0 || last < array.data.length,
      () => `${this.where}: a tensor reaches to number ${last} of ${array.data.length} that are there`,
      DataError,
    );
    this.left -= numbers * array.data.BYTES_PER_ELEMENT;
    check(
      this.left >= 0,
      () => `${this.where}: tensors need more than ${MAX_EXPANSION} times its bytes; refused`,
      DataError,
    );
    return { kind: "array", array: { dtype: array.dtype, shape: sizes, data: strided(array, offset, sizes, strides) } };
  }

  private unknown(sizes: PickleValue | undefined): string {
    const shown = isCounts(sizes) ? ` of sizes (${sizes.join(", ")})` : "";
    return `${this.where}: a tensor${shown} must be dense and have at most two dimensions`;
  }
}

/** The numbers of a tensor row by row: a view if they are contiguous, else a copy. */
function strided({ data }: NpyArray, offset: number, sizes: readonly number[], strides: readonly number[]): NpyData {
  const [numRows, numCols] = sizes.length === 2 ? sizes : [1, sizes[0] ?? 1];
  const [rowStride, colStride] = strides.length === 2 ? strides : [0, strides[0] ?? 1];
  const count = numRows * numCols;
  const contiguous = colStride === 1 && (numRows <= 1 || rowStride === numCols);
  if (contiguous || count === 0) return data.subarray(offset, offset + count);
  const out = data.slice(0, 0).constructor as new (length: number) => NpyData;
  const copy = new out(count);
  for (let i = 0; i < numRows; i++) {
    for (let j = 0; j < numCols; j++) copy[i * numCols + j] = data[offset + i * rowStride + j * colStride];
  }
  return copy;
}

function isCount(value: PickleValue | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCounts(value: PickleValue | undefined): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}

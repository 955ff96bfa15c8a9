import { zipSync } from "fflate";

/** A tensor to store: integers of 64 bits, floats or booleans. */
export interface TensorContent {
  readonly data: BigInt64Array | Float32Array | Uint8Array;
  readonly shape: readonly number[];
}

/** Bytes of a dictionary of tensors that `torch.load` reads, also with `weights_only=True`. */
export function formatTorchFile(tensors: Readonly<Record<string, TensorContent>>): Uint8Array {
  const members: Record<string, Uint8Array> = {};
  const items = Object.entries(tensors).map(([name, { data, shape }], key) => {
    members[`graph/data/${key}`] = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return [...text(name), ...tensor(storageOf(data), String(key), data.length, shape)];
  });
  const pickle = Uint8Array.from([0x80, 2, ...ascii("}("), ...items.flat(), ...ascii("u.")]);
  const small = { "graph/data.pkl": pickle, "graph/byteorder": ascii("little"), "graph/version": ascii("3\n") };
  return zipSync({ ...small, ...members }, { level: 0, mtime: "1980-01-01T00:00:00" }); // the same bytes every time
}

function storageOf(data: TensorContent["data"]): string {
  if (data instanceof BigInt64Array) return "LongStorage";
  return data instanceof Float32Array ? "FloatStorage" : "BoolStorage";
}

/** The pickled call that rebuilds a tensor: storage, offset, sizes, strides, no gradient, no hooks. */
function tensor(storage: string, key: string, length: number, shape: readonly number[]): number[] {
  const strides = shape.map((_, k) => shape.slice(k + 1).reduce((product, size) => product * size, 1));
  const id = [...text("storage"), ...ascii(`ctorch\n${storage}\n`), ...text(key), ...text("cpu"), ...integer(length)];
  return [
    ...ascii("ctorch._utils\n_rebuild_tensor_v2\n(("),
    ...id,
    ...ascii("tQ"),
    ...integer(0),
    ...tuple(shape),
    ...tuple(strides),
    0x89, // false
    ...ascii("ccollections\nOrderedDict\n)RtR"),
  ];
}

function ascii(word: string): Uint8Array {
  return new TextEncoder().encode(word);
}

function text(word: string): number[] {
  const bytes = new TextEncoder().encode(word);
  return [...ascii("X"), ...new Uint8Array(Int32Array.of(bytes.length).buffer), ...bytes];
}

/** A pickled integer of eight bytes, which hold any size. */
function integer(value: number): number[] {
  return [0x8a, 8, ...new Uint8Array(BigInt64Array.of(BigInt(value)).buffer)];
}

function tuple(numbers: readonly number[]): number[] {
  return [...ascii("("), ...numbers.flatMap(integer), ...ascii("t")];
}

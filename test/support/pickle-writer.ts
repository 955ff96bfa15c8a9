/** Writes pickles of protocol 2 as Python 2 wrote the Planetoid files, for tests of the reader. */

type Piece = string | number | Uint8Array;

/** Joins pieces: text is latin-1, a number is one byte. */
export function bytesOf(...pieces: readonly Piece[]): Uint8Array {
  return Uint8Array.from(
    pieces.flatMap((piece) => {
      if (typeof piece === "number") return [piece];
      return typeof piece === "string" ? [...piece].map((character) => character.charCodeAt(0)) : [...piece];
    }),
  );
}

export function pickle(body: Uint8Array): Uint8Array {
  return bytesOf("\x80\x02", body, ".");
}

function int32(value: number): Uint8Array {
  return new Uint8Array(Int32Array.of(value).buffer);
}

export function pickleInt(value: number): Uint8Array {
  return bytesOf("J", int32(value));
}

function text(value: string): Uint8Array {
  return bytesOf("U", value.length, value);
}

export function pickleTuple(items: readonly Uint8Array[]): Uint8Array {
  return bytesOf("(", ...items, "t");
}

/** An array of type `descr` (`i4`, `f4`, …) over the raw bytes of `data`. */
export function pickleArray(data: Int32Array | Float32Array, shape: readonly number[]): Uint8Array {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const empty = bytesOf("cnumpy.core.multiarray\n_reconstruct\n", "cnumpy\nndarray\n", "K\x00\x85", text("b"), "\x87R");
  const type = bytesOf("cnumpy\ndtype\n", text(data instanceof Int32Array ? "i4" : "f4"), "K\x00K\x01\x87R");
  const little = bytesOf(type, "(K\x03", text("<"), "NNN", pickleInt(-1), pickleInt(-1), "K\x00tb");
  return bytesOf(empty, "(K\x01", pickleTuple(shape.map(pickleInt)), little, "\x89", "T", int32(raw.length), raw, "tb");
}

export interface PickledCsr {
  readonly shape: readonly [number, number];
  readonly indptr: readonly number[];
  readonly indices: readonly number[];
  readonly data: readonly number[];
}

export function pickleCsr({ shape, indptr, indices, data }: PickledCsr): Uint8Array {
  return bytesOf(
    "cscipy.sparse.csr\ncsr_matrix\n)\x81}(",
    bytesOf(text("_shape"), pickleTuple(shape.map(pickleInt))),
    bytesOf(text("indptr"), pickleArray(Int32Array.from(indptr), [indptr.length])),
    bytesOf(text("indices"), pickleArray(Int32Array.from(indices), [indices.length])),
    bytesOf(text("data"), pickleArray(Float32Array.from(data), [data.length])),
    "ub",
  );
}

/** `defaultdict(list)` from each node to its neighbours. */
export function pickleNeighbours(neighbours: readonly (readonly number[])[], firstNode = 0): Uint8Array {
  const items = neighbours.map((list, i) => bytesOf(pickleInt(firstNode + i), "](", ...list.map(pickleInt), "e"));
  return bytesOf("ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(", ...items, "u");
}

/** `np.save` of one Python object: an array without dimensions that lists it. */
export function pickleObjectArray(value: Uint8Array): Uint8Array {
  const empty = bytesOf("cnumpy.core.multiarray\n_reconstruct\n", "cnumpy\nndarray\n", "K\x00\x85", text("b"), "\x87R");
  const type = bytesOf("cnumpy\ndtype\n", text("O8"), "K\x00K\x01\x87R");
  return pickle(bytesOf(empty, "(K\x01)", type, "\x89](", value, "etb"));
}

function unicode(value: string): Uint8Array {
  return bytesOf("X", int32(value.length), value);
}

/** A tensor over the storage `key` of a file of `torch.save`. */
export function pickleTensor(storage: string, key: string, shape: readonly number[]): Uint8Array {
  const strides = shape.map((_, k) => shape.slice(k + 1).reduce((product, size) => product * size, 1));
  const count = shape.reduce((product, size) => product * size, 1);
  return bytesOf(
    "ctorch._utils\n_rebuild_tensor_v2\n((",
    bytesOf(unicode("storage"), `ctorch\n${storage}\n`, unicode(key), unicode("cpu"), pickleInt(count), "tQ"),
    bytesOf(pickleInt(0), pickleTuple(shape.map(pickleInt)), pickleTuple(strides.map(pickleInt)), "\x89"),
    "ccollections\nOrderedDict\n)RtR",
  );
}

/** A `Data` of PyTorch Geometric with these tensors. */
export function pickleData(tensors: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const items = Object.entries(tensors).map(([name, tensor]) => bytesOf(unicode(name), tensor));
  const mapping = bytesOf("}(", ...items, "u");
  const store = bytesOf("ctorch_geometric.data.storage\nGlobalStorage\n)\x81}(", unicode("_mapping"), mapping, "ub");
  return pickle(bytesOf("ctorch_geometric.data.data\nData\n)\x81}(", unicode("_store"), store, "ub"));
}

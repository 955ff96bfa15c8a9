import { join } from "node:path";
import { check, DataError } from "../core/errors.ts";
import type { ByteSource } from "../data/formats/byte-source.ts";
import { decodeArray, type NpyArray } from "../data/formats/npy.ts";
import { toCounts, toFloat32, toInt32 } from "../data/formats/npy-cast.ts";
import { parseDtype } from "../data/formats/npy-dtype.ts";
import { type NpyHeader, parseNpyHeader } from "../data/formats/npy-header.ts";
import type { GraphRows } from "../graph/graph-rows.ts";
import { fileSource } from "./file-source.ts";

/** Rows that are remembered, in entries: push asks for the same ones again and again. */
const REMEMBERED = 2 ** 22;
const HEADER_BYTES = 4096;

/**
 * A folder of plain .npy files, opened and not read: each row is fetched from the files when it
 * is asked for, so that the graph may be larger than memory. Close it when done.
 */
export function openNpyRows(folder: string): GraphRows & { close(): void } {
  const files: NpyFile[] = [];
  const open = (name: string) => {
    files.push(new NpyFile(join(folder, `${name}.npy`)));
    return files.at(-1)!;
  };
  const close = () => {
    for (const file of files) file.close();
  };
  try {
    const rowPtr = open("rowPtr");
    const colIdx = open("colIdx");
    const features = open("features");
    const numCols = features.shape[1];
    check(numCols !== undefined, () => `${features.name}: must be (nodes, features)`, DataError);
    const bounds = remember((v) => toCounts(rowPtr.read(v, 2), rowPtr.name) as ArrayLike<number>);
    const neighbours = remember((v) => {
      const begin = bounds(v)[0];
      const end = bounds(v)[1];
      return toInt32(colIdx.read(begin, end - begin), colIdx.name);
    });
    return {
      numNodes: rowPtr.shape[0] - 1,
      degree: (v) => bounds(v)[1] - bounds(v)[0],
      neighbours,
      features(nodes) {
        const data = new Float32Array(nodes.length * numCols);
        for (const [t, v] of nodes.entries()) {
          data.set(toFloat32(features.read(v * numCols, numCols), features.name), t * numCols);
        }
        return { numRows: nodes.length, numCols, data };
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A .npy file of which some items are read. */
class NpyFile {
  readonly name: string;
  private readonly source: ByteSource;
  private readonly header: NpyHeader;
  private readonly itemBytes: number;

  constructor(path: string) {
    this.name = path;
    this.source = fileSource(path);
    this.header = parseNpyHeader(this.source.read(0, Math.min(HEADER_BYTES, this.source.size)), path);
    this.itemBytes = parseDtype(this.header.descr, path).itemBytes;
    check(!this.header.fortranOrder, () => `${path}: must be stored in C order to be read by rows`, DataError);
  }

  get shape(): readonly number[] {
    return this.header.shape;
  }

  read(begin: number, count: number): NpyArray {
    const { dataOffset, descr } = this.header;
    const bytes = this.source.read(dataOffset + begin * this.itemBytes, count * this.itemBytes);
    return decodeArray(bytes, descr, [count], false, this.name);
  }

  close(): void {
    this.source.close();
  }
}

/** The same function with a memory, which is emptied when it is full. */
function remember(read: (v: number) => ArrayLike<number>): (v: number) => ArrayLike<number> {
  const known = new Map<number, ArrayLike<number>>();
  let entries = 0;
  return (v) => {
    const before = known.get(v);
    if (before) return before;
    const row = read(v);
    if (entries > REMEMBERED) {
      known.clear();
      entries = 0;
    }
    known.set(v, row);
    entries += row.length + 1;
    return row;
  };
}

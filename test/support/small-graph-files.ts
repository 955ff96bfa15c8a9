import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { formatNpy } from "../../src/data/formats/npy.ts";
import { formatNpyHeader } from "../../src/data/formats/npy-header.ts";
import { parquetOf, parquetV1 } from "./parquet-writer.ts";
import {
  bytesOf,
  pickle,
  pickleArray,
  pickleCsr,
  pickleData,
  pickleNeighbours,
  pickleObjectArray,
  pickleTensor,
} from "./pickle-writer.ts";

/**
 * The same graph in every format that is read: 5 nodes, the path 0-1-2-3-4 and the edge 0-2, three features, labels
 * 0 1 0 1 1. `parts` are the files (or members of an archive) before they are packed, so that tests can spoil one.
 */
export interface SmallGraphFiles {
  readonly parts: Record<string, Uint8Array>;
  /** Packs the parts into the files that lie in a folder. */
  pack(parts: Record<string, Uint8Array>): Record<string, Uint8Array>;
  /** What to load, relative to the folder. */
  readonly path: string;
}

export const EDGES = [0, 1, 0, 2, 1, 2, 2, 3, 3, 4]; // pairs
export const LABELS = [0, 1, 0, 1, 1];
const FEATURES = [1, 0, 0, 0, 0.5, 0, 0, 0, 2, 1, 0, 1, 0, 3, 0];

const i4 = (...values: number[]) => formatNpy(Int32Array.from(values));
const i8 = (...values: number[]) => formatNpy(BigInt64Array.from(values, BigInt));
const f4 = (...values: number[]) => formatNpy(Float32Array.from(values));
const text = (lines: readonly unknown[]) => bytesOf(`${lines.join("\n")}\n`);
const rowsOf = (values: readonly number[], width: number) =>
  Array.from({ length: values.length / width }, (_, i) => values.slice(width * i, width * (i + 1)).join(","));

/** Stored, as most published files are. */
const npz = (file: string) => (members: Record<string, Uint8Array>) => ({ [file]: zipSync(members, { level: 0 }) });

function csr(separator: string, suffix: string): SmallGraphFiles {
  const adj = `adj${suffix}${separator}`;
  const attr = `attr${suffix}${separator}`;
  return {
    path: "small.npz",
    pack: npz("small.npz"),
    parts: {
      [`${adj}data.npy`]: f4(1, 1, 1, 1, 1),
      [`${adj}indices.npy`]: i4(1, 2, 2, 3, 4),
      [`${adj}indptr.npy`]: i4(0, 2, 3, 4, 5, 5),
      [`${adj}shape.npy`]: i8(5, 5),
      [`${attr}data.npy`]: f4(1, 0.5, 2, 1, 1, 3),
      [`${attr}indices.npy`]: i4(0, 1, 2, 0, 2, 1),
      [`${attr}indptr.npy`]: i4(0, 1, 2, 3, 5, 6),
      [`${attr}shape.npy`]: i8(5, 3),
      "labels.npy": i8(...LABELS),
    },
  };
}

function masks(...nodes: number[]): Uint8Array {
  const marked = Uint8Array.from({ length: 10 }, (_, i) => (nodes.includes(i % 5) ? 1 : 0));
  return bytesOf(formatNpyHeader("|b1", [2, 5]), marked);
}

const edges: SmallGraphFiles = {
  path: "small.npz",
  pack: npz("small.npz"),
  parts: {
    "edges.npy": formatNpy(BigInt64Array.from(EDGES, BigInt), [5, 2]),
    "node_features.npy": formatNpy(Float32Array.from(FEATURES), [5, 3]),
    "node_labels.npy": i8(...LABELS),
    "train_masks.npy": masks(0, 1),
    "val_masks.npy": masks(2),
    "test_masks.npy": masks(3, 4),
  },
};

const planetoid: SmallGraphFiles = {
  path: "ind.small",
  pack: (parts) => parts,
  parts: {
    "ind.small.allx": pickle(pickleCsr({ shape: [3, 3], indptr: [0, 1, 2, 3], indices: [0, 1, 2], data: [1, 0.5, 2] })),
    "ind.small.tx": pickle(pickleCsr({ shape: [2, 3], indptr: [0, 1, 3], indices: [1, 0, 2], data: [3, 1, 1] })),
    "ind.small.y": pickle(pickleArray(Int32Array.of(1, 0), [1, 2])),
    "ind.small.ally": pickle(pickleArray(Int32Array.of(1, 0, 0, 1, 1, 0), [3, 2])),
    "ind.small.ty": pickle(pickleArray(Int32Array.of(0, 1, 0, 1), [2, 2])),
    "ind.small.graph": pickle(pickleNeighbours([[1, 2], [0, 2], [1, 0, 3, 3], [4, 2], [3]])),
    "ind.small.test.index": text([4, 3]),
  },
};

const gzipped = (parts: Record<string, Uint8Array>) =>
  Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [`${name}.gz`, new Uint8Array(gzipSync(bytes))]));

const ogb: SmallGraphFiles = {
  path: "ogb",
  pack: gzipped,
  parts: {
    "ogb/raw/edge.csv": text(rowsOf(EDGES, 2)),
    "ogb/raw/node-feat.csv": text(rowsOf(FEATURES, 3)),
    "ogb/raw/node-label.csv": text(LABELS),
    "ogb/raw/num-node-list.csv": text([5]),
    "ogb/raw/num-edge-list.csv": text([5]),
    "ogb/split/time/train.csv": text([0, 1]),
    "ogb/split/time/valid.csv": text([2]),
    "ogb/split/time/test.csv": text([3, 4]),
  },
};

const csv: SmallGraphFiles = {
  path: "csv",
  pack: (parts) => parts,
  parts: {
    "csv/edges.csv": text(["from,to", ...rowsOf(EDGES, 2)]),
    "csv/features.csv": text(rowsOf(FEATURES, 3)),
    "csv/labels.csv": text(LABELS),
  },
};

const every = (values: readonly number[], first: number, step: number) => values.filter((_, at) => at % step === first);

/** Whole numbers of 64 bits and doubles, as pandas writes them, in pages of both versions. */
const parquet = (codec: "SNAPPY" | "UNCOMPRESSED"): SmallGraphFiles => ({
  path: "parquet",
  pack: (parts) => parts,
  parts: {
    "parquet/edges.parquet": parquetOf(
      [
        { name: "source", type: "INT64", data: every(EDGES, 0, 2).map(BigInt) },
        { name: "target", type: "INT64", data: every(EDGES, 1, 2).map(BigInt), nullable: false },
      ],
      { codec },
    ),
    "parquet/features.parquet": parquetOf(
      [0, 1, 2].map((k) => ({ name: `f${k}`, type: "DOUBLE", data: every(FEATURES, k, 3) })),
      { codec },
    ),
    "parquet/labels.parquet": parquetV1("label", LABELS.map(BigInt), codec),
  },
});

const npyFolder: SmallGraphFiles = {
  path: "npy",
  pack: (parts) => parts,
  parts: {
    "npy/rowPtr.npy": i8(0, 2, 3, 4, 5, 5),
    "npy/colIdx.npy": i4(1, 2, 2, 3, 4),
    "npy/features.npy": formatNpy(Float32Array.from(FEATURES), [5, 3]),
    "npy/labels.npy": i4(...LABELS),
  },
};

const scalar = (word: string) => bytesOf(formatNpyHeader(`|S${word.length}`, []), word);
const scipyParts = (format: string, arrays: Record<string, Uint8Array>) => ({
  "format.npy": scalar(format),
  "shape.npy": i8(5, 5),
  "data.npy": f4(1, 1, 1, 1, 1),
  ...arrays,
});
const featureMatrix = formatNpy(Float32Array.from(FEATURES), [5, 3]);

/** A matrix of `save_npz` with features and labels beside it. */
const scipy = (format: string, arrays: Record<string, Uint8Array>): SmallGraphFiles => ({
  path: "scipy/small.npz",
  parts: scipyParts(format, arrays),
  pack: (parts) => ({
    "scipy/small.npz": zipSync(parts, { level: 0 }),
    "scipy/small.features.npy": featureMatrix,
    "scipy/small.labels.npy": i8(...LABELS),
  }),
});

const matrixMarket: SmallGraphFiles = {
  path: "market/adj.mtx",
  pack: (parts) => parts,
  parts: {
    "market/adj.mtx": text([
      "%%MatrixMarket matrix coordinate pattern symmetric",
      "% below the diagonal",
      "5 5 5",
      ...["2 1", "3 1", "3 2", "4 3", "5 4"],
    ]),
    "market/features.mtx": text([
      "%%MatrixMarket matrix coordinate real general",
      "5 3 6",
      ...["1 1 1", "2 2 0.5", "3 3 2", "4 1 1", "4 3 1", "5 2 3"],
    ]),
    "market/labels.csv": text(["label", ...LABELS]),
  },
};

const graphMl: SmallGraphFiles = {
  path: "small.graphml",
  pack: (parts) => parts,
  parts: {
    "small.graphml": text([
      '<?xml version="1.0" encoding="utf-8"?>',
      '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
      '<key id="d0" for="node" attr.name="label" attr.type="long"/>',
      ...[1, 2, 3].map((k) => `<key id="d${k}" for="node" attr.name="f${k}" attr.type="double"/>`),
      '<graph edgedefault="undirected"><!-- nodes, then edges -->',
      ...LABELS.map((label, node) => {
        const values = FEATURES.slice(3 * node, 3 * node + 3).map(
          (value, k) => `<data key="d${k + 1}">${value}</data>`,
        );
        return `<node id="${node}"><data key="d0">${label}</data>${values.join("")}</node>`;
      }),
      ...rowsOf(EDGES, 2).map((pair) => `<edge source="${pair.split(",")[0]}" target="${pair.split(",")[1]}" />`),
      "</graph></graphml>",
    ]),
  },
};

const nodeLink: SmallGraphFiles = {
  path: "small.json",
  pack: (parts) => parts,
  parts: {
    "small.json": bytesOf(
      JSON.stringify({
        directed: false,
        multigraph: false,
        nodes: LABELS.map((label, id) => ({ id, label, x: FEATURES.slice(3 * id, 3 * id + 3) })),
        links: rowsOf(EDGES, 2).map((pair) => ({ source: Number(pair[0]), target: Number(pair[2]) })),
      }),
    ),
  },
};

const storage = (numbers: BigInt64Array | Float32Array | Uint8Array) =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
const columns = [0, 1].flatMap((k) => EDGES.filter((_, at) => at % 2 === k));

const torch: SmallGraphFiles = {
  path: "small.pt",
  pack: npz("small.pt"),
  parts: {
    "small/data.pkl": pickleData({
      x: pickleTensor("FloatStorage", "0", [5, 3]),
      edge_index: pickleTensor("LongStorage", "1", [2, 5]),
      y: pickleTensor("LongStorage", "2", [5]),
      train_mask: pickleTensor("BoolStorage", "3", [5]),
      val_mask: pickleTensor("BoolStorage", "4", [5]),
      test_mask: pickleTensor("BoolStorage", "5", [5]),
    }),
    "small/byteorder": bytesOf("little"),
    "small/data/0": storage(Float32Array.from(FEATURES)),
    "small/data/1": storage(BigInt64Array.from(columns, BigInt)),
    "small/data/2": storage(BigInt64Array.from(LABELS, BigInt)),
    "small/data/3": Uint8Array.of(1, 1, 0, 0, 0),
    "small/data/4": Uint8Array.of(0, 0, 1, 0, 0),
    "small/data/5": Uint8Array.of(0, 0, 0, 1, 1),
  },
};

const object = (value: Uint8Array) => bytesOf(formatNpyHeader("|O", []), pickleObjectArray(value));

const pickled: SmallGraphFiles = {
  path: "small.npz",
  pack: npz("small.npz"),
  parts: {
    "adj.npy": object(
      pickleCsr({ shape: [5, 5], indptr: [0, 2, 3, 4, 5, 5], indices: [1, 2, 2, 3, 4], data: [1, 1, 1, 1, 1] }),
    ),
    "features.npy": object(
      pickleCsr({
        shape: [5, 3],
        indptr: [0, 1, 2, 3, 5, 6],
        indices: [0, 1, 2, 0, 2, 1],
        data: [1, 0.5, 2, 1, 1, 3],
      }),
    ),
    "labels.npy": i8(...LABELS),
  },
};

export const smallGraphs = {
  "npz with dots": csr(".", "_matrix"),
  "npz with underscores": csr("_", ""),
  "npz in zip": { ...csr("_", ""), path: "small.zip", pack: (parts) => npz("small.zip")(npz("inner.npz")(parts)) },
  "npz edges": edges,
  planetoid,
  ogb,
  csv,
  parquet: parquet("SNAPPY"),
  "parquet without compression": parquet("UNCOMPRESSED"),
  "npy folder": npyFolder,
  "scipy csr": scipy("csr", { "indices.npy": i4(1, 2, 2, 3, 4), "indptr.npy": i4(0, 2, 3, 4, 5, 5) }),
  "scipy csc": scipy("csc", { "indices.npy": i4(0, 0, 1, 2, 3), "indptr.npy": i4(0, 0, 1, 3, 4, 5) }),
  "scipy coo": scipy("coo", { "row.npy": i4(3, 0, 0, 1, 2), "col.npy": i4(4, 1, 2, 2, 3) }),
  "npz with pickles": pickled,
  "matrix market": matrixMarket,
  graphml: graphMl,
  "node-link json": nodeLink,
  "torch file": torch,
} satisfies Record<string, SmallGraphFiles>;

/** Writes a small graph, with some parts replaced (`null` leaves one out), and returns the path to load. */
export function writeSmallGraph(
  files: SmallGraphFiles,
  folder: string,
  changes: Readonly<Record<string, Uint8Array | null>> = {},
): string {
  const parts = { ...files.parts, ...changes };
  for (const name of Object.keys(changes)) {
    if (!Object.hasOwn(files.parts, name)) throw new Error(`${name} is no part; parts are ${Object.keys(files.parts)}`);
    if (changes[name] === null) delete parts[name];
  }
  writeFiles(files.pack(parts as Record<string, Uint8Array>), folder);
  return join(folder, files.path);
}

export function writeFiles(files: Readonly<Record<string, Uint8Array>>, folder: string): void {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

import { readFileSync } from "node:fs";
import { check, DataError } from "../../core/errors.ts";
import { decodeFloat16 } from "../../core/float16.ts";
import type { Split } from "../../data/splits.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import type { GraphRows } from "../../graph/graph-rows.ts";
import { canMap, fetchSoon, type Mapping, releaseMapped } from "./mapped-file.ts";
import { type Numbers, openPart, type PartReader } from "./part-reader.ts";
import { readStoreHeader } from "./read-store-header.ts";
import { remembered } from "./remembered.ts";
import type { StoreHeader } from "./store-header.ts";

/** How a store is read: mapped into memory where the system can, or by calls. */
export type StoreAccess = "mapped" | "read";

/** Options of {@link openStore}. */
export interface OpenStoreOptions {
  /** Default: mapped where the system can. */
  readonly access?: StoreAccess;
  /** Most of a mapped store that stays in the process's own memory, in bytes. Default 2 GiB. */
  readonly memory?: number;
  /** Mappings of another thread that has opened the store, see {@link GraphStore.mappings}. */
  readonly mappings?: Mappings;
}

/** Where the parts of an open store are mapped, by name; null if they are read. */
export type Mappings = Readonly<Record<string, Mapping>> | null;

const MEMORY = 2 ** 31;

/**
 * Opens a graph store, which takes milliseconds: rows are read when they are asked for, so the graph may be larger than memory.
 * Close it when done.
 *
 * @example
 * const store = openStore("papers.store");
 * console.log(store.numNodes, store.degree(17), store.features(Int32Array.of(17)).data);
 * store.close();
 */
export function openStore(folder: string, options: OpenStoreOptions = {}): GraphStore {
  return new GraphStore(folder, readStoreHeader(folder), options);
}

const FACTS = ["rowPointers", "columns", "features", "labels"] as const;

/** A graph on the disk that is read row by row. */
export class GraphStore implements GraphRows {
  readonly folder: string;
  readonly header: StoreHeader;
  readonly access: StoreAccess;
  private readonly parts = new Map<string, PartReader>();
  private readonly pointers: PartReader<"u64">;
  private readonly columns: PartReader<"i32">;
  private readonly budget: number;
  /** Rows that were looked at since the memory of the process was last checked. */
  private looked = 0;
  readonly neighbours: (node: number) => Int32Array;

  constructor(folder: string, header: StoreHeader, { access, memory = MEMORY, mappings = null }: OpenStoreOptions) {
    this.folder = folder;
    this.header = header;
    this.budget = memory;
    const mapped = access === undefined ? canMap() : access === "mapped";
    check(!mapped || canMap(), () => `${folder}: files cannot be mapped here; leave out the access "mapped"`);
    this.access = mapped ? "mapped" : "read";
    try {
      for (const name of [...FACTS, ...("scales" in header.parts ? ["scales"] : [])]) {
        const order = name === "features" ? "random" : "near";
        this.parts.set(name, openPart(folder, this.partOf(name), { mapped, order, lent: mappings?.[name] }));
      }
    } catch (error) {
      this.close();
      throw error;
    }
    this.pointers = this.part("rowPointers");
    this.columns = this.part("columns");
    const read = (node: number) => this.columns.range(this.bound(this.inside(node)), this.bound(node + 1));
    this.neighbours = mapped ? (node) => read(this.look(node)) : remembered(read);
  }

  get name(): string {
    return this.header.name;
  }
  get numNodes(): number {
    return this.header.numNodes;
  }
  get directed(): boolean {
    return this.header.directed;
  }

  /** For threads that open the same store: they share what is mapped. Close it after they are done. */
  get mappings(): Mappings {
    if (this.access === "read") return null;
    const mapped = [...this.parts].flatMap(([name, { mapping }]) => (mapping ? [[name, mapping] as const] : []));
    return Object.fromEntries(mapped);
  }

  degree(node: number): number {
    return this.bound(this.inside(node) + 1) - this.bound(node);
  }

  /** Classes of these nodes, −1 where one has none. */
  labels(nodes: ArrayLike<number>): Int32Array {
    const labels = this.part<"i32">("labels");
    return Int32Array.from(nodes, (node) => labels.range(this.inside(node), node + 1)[0]);
  }

  /** Those of all nodes: a view of the file where it is mapped, else four bytes each in memory. */
  allLabels(): Int32Array {
    const labels = this.part<"i32">("labels");
    return labels.all ?? labels.range(0, this.numNodes);
  }

  features(nodes: Int32Array): DenseMatrix {
    const { numFeatures } = this.header;
    const features = this.part<"f32" | "f16" | "i8">("features");
    const data = new Float32Array(nodes.length * numFeatures);
    this.fetchFeatures(nodes);
    for (let t = 0; t < nodes.length; t++) {
      const node = this.look(this.inside(nodes[t]));
      const row = features.range(node * numFeatures, (node + 1) * numFeatures);
      this.decode(row, node, data.subarray(t * numFeatures, (t + 1) * numFeatures));
    }
    return { numRows: nodes.length, numCols: numFeatures, data };
  }

  /** The nodes of a split that came with the graph. */
  split(name: string): Split {
    const { splits } = this.header;
    check(
      splits.includes(name),
      () => `${this.folder}: has no split "${name}"; it has ${splits.join(", ") || "none"}`,
      DataError,
    );
    const nodes = (set: string) => {
      const reader = openPart(this.folder, this.partOf(`${name}.${set}`), { mapped: false, order: "near" });
      const read = reader.range(0, this.partOf(`${name}.${set}`).length) as Int32Array;
      reader.close();
      return read;
    };
    return { train: nodes("train"), val: nodes("val"), test: nodes("test") };
  }

  close(): void {
    for (const part of this.parts.values()) part.close();
    this.parts.clear();
  }

  private part<T extends PartReader["type"]>(name: string): PartReader<T> {
    return this.parts.get(name) as PartReader<T>;
  }

  private partOf(name: string) {
    const part = this.header.parts[name];
    check(part !== undefined, () => `${this.folder}: its header lists no ${name}; make the store again`, DataError);
    return part;
  }

  /** Where row `node` begins in the columns. */
  private bound(node: number): number {
    const { all } = this.pointers;
    const words = all ?? this.pointers.range(node, node + 1);
    const at = all ? 2 * node : 0;
    const bound = words[at] + words[at + 1] * 2 ** 32;
    if (!(bound <= this.header.numEntries)) {
      throw new DataError(
        `${this.folder}: row ${node} does not begin inside the columns; see rgnn data check ${this.folder}`,
      );
    }
    return bound;
  }

  private inside(node: number): number {
    const { numNodes } = this.header;
    if (!(node >= 0 && node < numNodes))
      throw new DataError(`${this.folder}: node ${node} must be in 0 … ${numNodes - 1}`);
    return node;
  }

  private decode(row: Numbers<"f32" | "f16" | "i8">, node: number, out: Float32Array): void {
    if (row instanceof Uint16Array) decodeFloat16(row, out);
    else if (row instanceof Float32Array) out.set(row);
    else {
      const scale = this.part<"f32">("scales").range(node, node + 1)[0];
      for (let k = 0; k < row.length; k++) out[k] = row[k] * scale;
    }
  }

  /** The disk answers many requests at once far faster than one after the other. */
  private fetchFeatures(nodes: Int32Array): void {
    const { mapping } = this.part("features");
    if (!mapping || nodes.length < FETCH_AHEAD) return;
    const rowBytes = mapping.bytes / this.numNodes;
    for (let t = 0; t < nodes.length; t++) fetchSoon(mapping, nodes[t] * rowBytes, (nodes[t] + 1) * rowBytes);
  }

  /** Counts a row that is looked at; now and then, makes room. */
  private look(node: number): number {
    if (++this.looked >= LOOKED && this.access === "mapped") {
      this.looked = 0;
      if (mappedResident() > this.budget) {
        for (const { mapping } of this.parts.values()) if (mapping) releaseMapped(mapping);
      }
    }
    return node;
  }
}

/** Rows of features that are worth asking for ahead. */
const FETCH_AHEAD = 64;
/** The memory of the process is looked at after so many rows. */
const LOOKED = 1000;

/** Bytes of files in the memory of the process. */
function mappedResident(): number {
  const shared = readFileSync("/proc/self/statm", "latin1").split(" ")[2];
  return 4096 * Number(shared);
}

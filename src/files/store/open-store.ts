import { check, DataError } from "../../core/errors.ts";
import type { Split } from "../../data/splits.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import type { GraphRows } from "../../graph/graph-rows.ts";
import { FeatureReader } from "./feature-reader.ts";
import { canMap, type Mapping } from "./mapped-file.ts";
import { PartFile } from "./part-file.ts";
import { openPart, type PartReader } from "./part-reader.ts";
import { readStoreHeader } from "./read-store-header.ts";
import type { StoreHeader } from "./store-header.ts";

/**
 * How the small parts with a value per node (row pointers, labels, scales) are read: mapped into memory, or by calls.
 * Edges and features are always read by calls.
 */
export type StoreAccess = "mapped" | "read";

/** Options of {@link openStore}. */
export interface OpenStoreOptions {
  /** Default: mapped if the system can. */
  readonly access?: StoreAccess;
  /** Mappings of another thread that has opened the store, see {@link GraphStore.mappings}. */
  readonly mappings?: Mappings;
}

/** Where the parts of an open store are mapped, by name; null if they are read by calls. */
export type Mappings = Readonly<Record<string, Mapping>> | null;

/**
 * Opens a graph store. This takes milliseconds: rows are read only when they are asked for, so the graph may be larger
 * than memory. Close it when done.
 *
 * @example
 * const store = openStore("papers.store");
 * console.log(store.numNodes, store.degree(17), store.features(Int32Array.of(17)).data);
 * store.close();
 */
export function openStore(folder: string, options: OpenStoreOptions = {}): GraphStore {
  return new GraphStore(folder, readStoreHeader(folder), options);
}

/** Parts with one number for each node. */
const PER_NODE = ["rowPointers", "labels", "scales"] as const;

/** A graph on the disk that is read row by row. */
export class GraphStore implements GraphRows {
  readonly folder: string;
  readonly header: StoreHeader;
  readonly access: StoreAccess;
  private readonly parts = new Map<string, PartReader>();
  private readonly pointers: PartReader<"u64">;
  private readonly columns: PartFile;
  private readonly featureRows: FeatureReader;

  constructor(folder: string, header: StoreHeader, { access, mappings = null }: OpenStoreOptions) {
    this.folder = folder;
    this.header = header;
    const mapped = access === undefined ? canMap() : access === "mapped";
    check(!mapped || canMap(), () => `${folder}: files cannot be mapped here; leave out the access "mapped"`);
    this.access = mapped ? "mapped" : "read";
    try {
      for (const name of PER_NODE) {
        if (name === "scales" && this.partOf("features").type !== "i8") continue;
        this.parts.set(name, openPart(folder, this.partOf(name), { mapped, lent: mappings?.[name] }));
      }
      this.columns = new PartFile(folder, this.partOf("columns"));
      this.featureRows = new FeatureReader(folder, header, this.part<"f32">("scales") ?? null);
    } catch (error) {
      this.close();
      throw error;
    }
    this.pointers = this.part("rowPointers");
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

  /** Mappings to share with threads that open the same store. Close this store only after they are done. */
  get mappings(): Mappings {
    if (this.access === "read") return null;
    const mapped = [...this.parts].flatMap(([name, { mapping }]) => (mapping ? [[name, mapping] as const] : []));
    return Object.fromEntries(mapped);
  }

  degree(node: number): number {
    return this.bound(this.inside(node) + 1) - this.bound(node);
  }

  /** Neighbours of a node, ascending. */
  neighbours(node: number): Int32Array {
    const begin = this.bound(this.inside(node));
    const row = new Int32Array(this.bound(node + 1) - begin);
    this.columns.read(row, 0, 4 * row.length, 4 * begin);
    return row;
  }

  /** Classes of these nodes, −1 where one has none. */
  labels(nodes: ArrayLike<number>): Int32Array {
    const labels = this.part<"i32">("labels");
    return Int32Array.from(nodes, (node) => labels.range(this.inside(node), node + 1)[0]);
  }

  /** Classes of all nodes: a view of the file if it is mapped, else a copy of four bytes per node. */
  allLabels(): Int32Array {
    const labels = this.part<"i32">("labels");
    return labels.all ?? labels.range(0, this.numNodes);
  }

  features(nodes: Int32Array): DenseMatrix {
    const { numFeatures } = this.header;
    for (let t = 0; t < nodes.length; t++) this.inside(nodes[t]);
    const data = this.featureRows.read(nodes);
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
      const reader = openPart(this.folder, this.partOf(`${name}.${set}`), { mapped: false });
      const read = reader.range(0, this.partOf(`${name}.${set}`).length) as Int32Array;
      reader.close();
      return read;
    };
    return { train: nodes("train"), val: nodes("val"), test: nodes("test") };
  }

  close(): void {
    this.columns?.close(); // undefined if opening failed
    this.featureRows?.close();
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
}

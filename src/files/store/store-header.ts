import { type CheckedKind, parseChecked } from "./checked-json.ts";

/** A kind of folder with flat files and a header. The header is written last: a folder without it is unfinished. */
export interface PartsKind extends CheckedKind {
  readonly headerFile: string;
  /** What such a folder is: `a graph store`. */
  readonly what: string;
}

/** The file in a store's folder that says what is in it. */
export const HEADER_FILE = "store.json";

export const GRAPH_STORE: PartsKind = {
  headerFile: HEADER_FILE,
  what: "a graph store",
  format: "rgnn graph store",
  version: 1,
  called: "the header of a graph store",
};

/** Bytes of a part per checksum; the last checksum covers the rest. */
export const CHECKED_BYTES = 2 ** 26;

/** Types of the numbers in a part; all are little-endian. */
export type PartType = "u64" | "i32" | "f32" | "f16" | "i8" | "u8";

export const BYTES_OF: Readonly<Record<PartType, number>> = { u64: 8, i32: 4, f32: 4, f16: 2, i8: 1, u8: 1 };

/** One flat file of a store. */
export interface StorePart {
  readonly file: string;
  readonly type: PartType;
  /** Numbers in it. */
  readonly length: number;
  /** CRC-32 of every {@link CHECKED_BYTES} bytes, in order. */
  readonly checksums: readonly number[];
}

/** The content that all headers have. */
export interface PartsHeader {
  readonly parts: Readonly<Record<string, StorePart>>;
}

/**
 * The header of a graph store. Parts: `rowPointers` (u64, one more than nodes), `columns` (i32, ascending within a
 * row), `features` (f32, f16 or i8, row by row; i8 features are multiplied by the node's entry of `scales`, f32),
 * `labels` (i32, −1 for none) and, for each split by name, `<split>.train`, `<split>.val` and `<split>.test` (i32).
 *
 * If the ids of the nodes are not 0, 1, …, the part `ids` (u64) has them if they are numbers. If they are names,
 * `names` (u8) has them in UTF-8, one after the other, and `nameEnds` (u64) has the end of each.
 */
export interface StoreHeader extends PartsHeader {
  readonly name: string;
  readonly numNodes: number;
  /** Stored entries: an undirected edge counts twice. */
  readonly numEntries: number;
  readonly numFeatures: number;
  readonly numClasses: number;
  readonly directed: boolean;
  readonly splits: readonly string[];
  /** Names of the classes, if they have names. */
  readonly classes?: readonly string[];
}

/** Reads and checks a header; errors call it `where`. */
export function parseStoreHeader(text: string, where: string): StoreHeader {
  return parseChecked(GRAPH_STORE, text, where) as StoreHeader; // its checksum proves that we wrote it
}

import { type CheckedKind, parseChecked } from "./checked-json.ts";

/** A kind of folder with flat files and a header, which is written last: a folder without it is unfinished. */
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

/** A checksum covers this many bytes of a part, the last one what is left. */
export const CHECKED_BYTES = 2 ** 26;

/** How numbers lie in a part, little-endian. */
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

/** What every header says. */
export interface PartsHeader {
  readonly parts: Readonly<Record<string, StorePart>>;
}

/**
 * What a graph store holds. Parts: `rowPointers` (u64, one more than nodes), `columns` (i32, ascending within a row), `features` (f32,
 * f16 or i8, row by row; i8 times the node's entry of `scales`), `labels` (i32, −1 for none) and, for each split by name,
 * `<split>.train`, `<split>.val` and `<split>.test` (i32).
 *
 * Nodes that are called something else than 0, 1, … have a part `ids` (u64) if their ids are numbers. If they are names, `names`
 * (u8) holds them in UTF-8, one after the other, and `nameEnds` (u64) where each of them ends.
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
  /** What classes are called, where they have names. */
  readonly classes?: readonly string[];
}

/** Reads and checks a header; `where` is what errors call it. */
export function parseStoreHeader(text: string, where: string): StoreHeader {
  return parseChecked(GRAPH_STORE, text, where) as StoreHeader; // written by us, as its checksum shows
}

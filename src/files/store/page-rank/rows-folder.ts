import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PushRowsOptions } from "../../../ppr/push-rows.ts";
import { parseChecked } from "../checked-json.ts";
import type { GraphStore } from "../open-store.ts";
import type { PartsHeader, PartsKind } from "../store-header.ts";

/** A folder with rows of PageRank that were pushed on a graph store. */
export const PAGE_RANK_ROWS: PartsKind = {
  headerFile: "rows.json",
  what: "a folder of PageRank rows",
  format: "rgnn PageRank rows",
  version: 1,
  called: "the header of PageRank rows",
  wayOut: "remove its folder, and the rows are pushed again",
};

/**
 * The header of such a folder. Parts: `nodes` (i32), `rowPointers` (u64, one more than nodes), `columns` (i32,
 * ascending within a row) and `values` (f32).
 */
export interface RowsHeader extends PartsHeader {
  readonly alpha: number;
  readonly epsilon: number;
  readonly k: number;
  /** Nodes of the graph: the number of columns. */
  readonly numNodes: number;
}

/** Which rows are wanted: those of these nodes, in this order, pushed with these options. */
export interface RowsWanted {
  readonly nodes: Int32Array;
  readonly options: PushRowsOptions;
}

/** The folder where a store keeps these rows. Its name depends on the options, the nodes and the edges of the store. */
export function rowsFolder(store: GraphStore, { nodes, options }: RowsWanted): string {
  const { alpha, epsilon, k } = options;
  const { rowPointers, columns } = store.header.parts;
  const edges = [rowPointers, columns].map(({ length, checksums }) => ({ length, checksums }));
  const hash = createHash("sha256").update(JSON.stringify({ alpha, epsilon, k, edges }));
  hash.update(new Uint8Array(nodes.buffer, nodes.byteOffset, nodes.byteLength));
  return join(store.folder, "pagerank", hash.digest("hex").slice(0, 16));
}

/** The header of finished rows; undefined if the folder has none yet. */
export function readRowsHeader(folder: string): RowsHeader | undefined {
  const path = join(folder, PAGE_RANK_ROWS.headerFile);
  return existsSync(path) ? (parseChecked(PAGE_RANK_ROWS, readFileSync(path, "utf8"), path) as RowsHeader) : undefined;
}

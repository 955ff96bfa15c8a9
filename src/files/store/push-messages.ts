import type { Csr } from "../../graph/csr.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import type { PushRowsOptions } from "../../ppr/push-rows.ts";
import type { Mappings, StoreAccess } from "./open-store.ts";

/** What a thread needs to open the store of the pool. */
export interface PushWork {
  readonly folder: string;
  readonly access: StoreAccess;
  readonly mappings: Mappings;
}

/** A request to a thread: rows of PageRank of these nodes, or their features if `options` is null. */
export interface PushRequest {
  readonly nodes: Int32Array;
  readonly options: PushRowsOptions | null;
}

/** The answer of a thread: rows, features, or what went wrong. */
export type PushAnswer = Csr | DenseMatrix | { readonly failed: string };

/** The first message of a thread. */
export const READY = "ready";

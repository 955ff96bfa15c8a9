import type { Backend } from "../backend/backend.ts";
import type { Csr } from "../graph/csr.ts";
import { type PushRowsOptions, pushRows } from "./push-rows.ts";

/** Rows that take more than this on the host are not kept: they are pushed again at every call. */
const MAX_BYTES = 2 ** 29;

/** The last result for each graph; garbage-collected together with the graph. */
const known = new WeakMap<Csr, { readonly options: PushRowsOptions; readonly rows: Csr }>();

/**
 * Rows of personalised PageRank of all nodes of a graph. The last result is kept as long as the graph is, so that models with the
 * same options share it: at a tolerance of 1e-6 pushing takes minutes, and the rest of an evaluation takes a second.
 */
export function allPushedRows(adjacency: Csr, { alpha, epsilon, k }: PushRowsOptions, backend: Backend): Csr {
  const last = known.get(adjacency);
  const isSame = last?.options.alpha === alpha && last.options.epsilon === epsilon && last.options.k === k;
  if (last && isSame) return last.rows;
  known.delete(adjacency); // frees the old rows before the new ones are made
  const options = { alpha, epsilon, k };
  const nodes = Int32Array.from({ length: adjacency.numRows }, (_, v) => v);
  const rows = pushRows(adjacency, nodes, options, backend);
  if (8 * rows.colIdx.length <= MAX_BYTES) known.set(adjacency, { options, rows });
  return rows;
}

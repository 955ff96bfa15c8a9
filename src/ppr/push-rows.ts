import type { Backend } from "../backend/backend.ts";
import { pushRows as pushOnOneThread } from "../backend/compose/push-rows.ts";
import { check, MemoryError } from "../core/errors.ts";
import type { Csr } from "../graph/csr.ts";
import type { Neighbours } from "../graph/push/neighbours.ts";
import { type PushOptions, push } from "../graph/push/push.ts";
import { HashWorkspace, type PushWorkspace } from "../graph/push/push-workspace.ts";
import { stackRows, topKRow } from "../graph/push/top-k-rows.ts";

/** How rows are pushed, and what is kept of each. */
export interface PushRowsOptions extends PushOptions {
  /** How many entries of a row are kept: the k largest. */
  readonly k: number;
}

/**
 * Rows of personalised PageRank for `nodes`, one row each in this order, on the threads of `backend` if it has any. The
 * result has the same bits with any number of threads, and without threads.
 */
export function pushRows(A: Csr, nodes: ArrayLike<number>, options: PushRowsOptions, backend?: Backend): Csr {
  checkRows(A.numCols, nodes, options);
  const asked = Int32Array.from(nodes);
  try {
    if (backend) return backend.pushRows(A, asked, options);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error; // too large for the threads' memory: push on the host instead
  }
  return pushOnOneThread()(A, asked, options);
}

/**
 * As {@link pushRows}, for a graph that need not fit in memory: memory grows with the nodes that one row visits. `work`
 * may have been used before.
 */
export function pushRowsOf(
  graph: Neighbours,
  numNodes: number,
  nodes: ArrayLike<number>,
  options: PushRowsOptions,
  work: PushWorkspace = new HashWorkspace(),
): Csr {
  checkRows(numNodes, nodes, options);
  const rows = Array.from(nodes, (node) => topKRow(push(node, graph, options, work), options.k));
  return stackRows(rows, numNodes);
}

function checkRows(numNodes: number, nodes: ArrayLike<number>, { k }: PushRowsOptions): void {
  check(Number.isInteger(k) && k >= 1, () => `pushRows: k must be a whole number from 1 on, got ${k}`);
  for (let t = 0; t < nodes.length; t++) {
    const node = nodes[t];
    check(node >= 0 && node < numNodes, () => `pushRows: node ${node} must be in 0 … ${numNodes - 1}`);
  }
}

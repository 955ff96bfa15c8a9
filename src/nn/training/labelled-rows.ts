import { check } from "../../core/errors.ts";
import type { Csr } from "../../graph/csr.ts";
import type { Features } from "../../graph/graph.ts";
import { selectRows } from "../../graph/select-rows.ts";

/** A list of nodes with a row of PageRank and a class for each. The rows may be larger than memory. */
export interface LabelledRows {
  /** Classes of the nodes, one for each position. */
  readonly labels: Int32Array;
  /** The rows at these positions, in this order. */
  select(positions: Int32Array): Csr;
}

/** What PPRGo learns from. */
export interface RowsToLearn {
  readonly train: LabelledRows;
  readonly val: LabelledRows;
  /** Features of these nodes of the graph, a row each, in this order. */
  features(nodes: Int32Array): Features;
}

/** Rows in memory as {@link LabelledRows}. */
export function rowsInMemory(rows: Csr, labels: Int32Array): LabelledRows {
  return { labels, select: (positions) => selectRows(rows, positions) as Csr };
}

/** Returns `labels`; throws if a node has no class. */
export function checkLabels(nodes: ArrayLike<number>, labels: Int32Array): Int32Array {
  for (let t = 0; t < labels.length; t++) {
    check(labels[t] >= 0, () => `node ${nodes[t]} has no label; choose labelled nodes`);
  }
  return labels;
}

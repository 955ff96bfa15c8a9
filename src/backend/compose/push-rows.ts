import { neighboursOf } from "../../graph/push/neighbours.ts";
import { push } from "../../graph/push/push.ts";
import { DenseWorkspace } from "../../graph/push/push-workspace.ts";
import { stackRows, topKRow } from "../../graph/push/top-k-rows.ts";
import type { Backend } from "../backend.ts";

/** Row by row, on the calling thread. */
export function pushRows(): Backend["pushRows"] {
  return (A, nodes, options) => {
    const graph = neighboursOf(A);
    const work = new DenseWorkspace(A.numCols);
    return stackRows(
      Array.from(nodes, (node) => topKRow(push(node, graph, options, work), options.k)),
      A.numCols,
    );
  };
}

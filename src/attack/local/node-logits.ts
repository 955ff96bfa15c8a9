import { rowsOfGraph } from "../../graph/graph-rows.ts";
import type { Model } from "../../nn/model.ts";
import { Pprgo } from "../../nn/models/pprgo.ts";
import { Constants, type GraphView, gatherRows, hostGraph, IntTensor, scope, type Values } from "../../tensor/index.ts";

/** Logits of some nodes of a discrete graph, a row for each in this order, without dropout. */
export async function nodeLogits(model: Model, view: GraphView, nodes: ArrayLike<number>): Promise<Values[]> {
  const logits = scope(() =>
    model instanceof Pprgo
      ? model.logitsOf(rowsOfGraph(hostGraph(view, model.name)), nodes) // pushes the rows of these nodes alone
      : gatherRows(
          model.forward(view, { constants: new Constants(), dropout: null }),
          IntTensor.from(view.backend, nodes),
        ),
  );
  const classes = logits.shape[1];
  const values = await logits.read().finally(() => logits.dispose());
  return Array.from(nodes, (_, k) => values.slice(k * classes, (k + 1) * classes));
}

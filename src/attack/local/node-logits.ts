import { type GraphRows, rowsOfGraph } from "../../graph/graph-rows.ts";
import { inducedSubgraph } from "../../graph/induced-subgraph.ts";
import type { Model } from "../../nn/model.ts";
import { Pprgo } from "../../nn/models/pprgo.ts";
import {
  Constants,
  type GraphView,
  gatherRows,
  hostGraph,
  IntTensor,
  scope,
  type Tensor,
  toDevice,
  type Values,
} from "../../tensor/index.ts";
import { nodesWithinTwoSteps } from "./two-steps.ts";

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
  return rowsRead(logits);
}

/** {@link nodeLogits} of PPRGo and its relatives, on the rows of a graph of any size. */
export async function rowLogits(model: Pprgo, graph: GraphRows, nodes: ArrayLike<number>): Promise<Values[]> {
  return rowsRead(scope(() => model.logitsOf(graph, nodes)));
}

async function rowsRead(logits: Tensor): Promise<Values[]> {
  const [count, classes] = logits.shape;
  const values = await logits.read().finally(() => logits.dispose());
  return Array.from({ length: count }, (_, k) => values.slice(k * classes, (k + 1) * classes));
}

/**
 * {@link nodeLogits} of one node on the subgraph of the nodes within two steps of it. Nodes at the border lose
 * neighbours.
 */
export async function nearbyLogits(model: Model, view: GraphView, node: number): Promise<Values> {
  const graph = hostGraph(view, "nearbyLogits");
  const nodes = Int32Array.from(nodesWithinTwoSteps(graph, node)).sort();
  const nearby = toDevice(view.backend, inducedSubgraph(graph, nodes));
  const [logits] = await nodeLogits(model, nearby, [nodes.indexOf(node)]).finally(() => nearby.dispose());
  return logits;
}

import type { Flips } from "../../graph/flips.ts";
import { rowsOfGraph } from "../../graph/graph-rows.ts";
import { degreesFor } from "../../graph/normalise.ts";
import { flippedNeighbours } from "../../graph/push/flipped-neighbours.ts";
import { gcnMatrix } from "../../nn/layers/aggregate.ts";
import type { ConvolutionStack } from "../../nn/layers/convolution-stack.ts";
import type { Model } from "../../nn/model.ts";
import { Gcn } from "../../nn/models/gcn.ts";
import { Pprgo } from "../../nn/models/pprgo.ts";
import { Sgc } from "../../nn/models/sgc.ts";
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
  withFlips,
} from "../../tensor/index.ts";
import { CutOuts } from "./cut-out.ts";
import { nodeLogits } from "./node-logits.ts";
import { stackOf } from "./patched/clean-stack.ts";

/** Logits of a node on the discrete graph with these flips, by the model's own forward pass. */
export type FreshLogits = (node: number, flips: Flips) => Promise<Values>;

/**
 * Evaluates single nodes afresh, for results (rule B3). A model that reads a few steps around a node, or its PageRank row, is run on
 * these alone; what it computes is the same as on the whole graph.
 */
export function freshLogits(model: Model, view: GraphView): FreshLogits {
  if (model instanceof Pprgo) return onFlippedRows(model, view);
  const isOurs = model instanceof Gcn || model instanceof Sgc; // another forward pass need not ask for gcnMatrix
  const stack = isOurs ? scope(() => stackOf(model)) : null;
  return stack ? onCutOuts(model, stack, view) : onWholeGraph(model, view);
}

function onFlippedRows(model: Pprgo, view: GraphView): FreshLogits {
  const graph = hostGraph(view, model.name);
  const rows = rowsOfGraph(graph);
  return (node, flips) =>
    firstRow(() => model.logitsOf({ ...rows, ...flippedNeighbours(rows, flips, graph.directed) }, [node]));
}

function onCutOuts(model: Model, { normalisation, layers }: ConvolutionStack, view: GraphView): FreshLogits {
  const graph = hostGraph(view, model.name);
  const cutOuts = new CutOuts(graph, normalisation, layers.length, degreesFor(graph.adjacency, normalisation));
  return async (node, flips) => {
    const cutOut = cutOuts.around(node, flips);
    const part = toDevice(view.backend, cutOut.graph);
    const constants = new Constants({ graph: part });
    try {
      return await firstRow(() => {
        gcnMatrix(part, normalisation, constants, cutOut.degrees);
        const all = model.forward(part, { constants, dropout: null });
        return gatherRows(all, IntTensor.from(view.backend, [cutOut.node]));
      });
    } finally {
      constants.dispose();
      part.dispose();
    }
  };
}

function onWholeGraph(model: Model, view: GraphView): FreshLogits {
  return async (node, flips) => {
    const perturbed = withFlips(view, flips);
    const [row] = await nodeLogits(model, perturbed, [node]).finally(() => perturbed.dispose());
    return row;
  };
}

async function firstRow(compute: () => Tensor): Promise<Values> {
  const logits = scope(compute);
  return logits.read().finally(() => logits.dispose());
}

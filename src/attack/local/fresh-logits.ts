import type { Flips } from "../../graph/flips.ts";
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
import { type DirectedRows, directedRows } from "./attacked-graph.ts";
import { CutOuts } from "./cut-out.ts";
import { nodeLogits } from "./node-logits.ts";
import { stackOf } from "./patched/clean-stack.ts";

/** Logits of a node on the discrete graph with these flips, by the model's own forward pass. */
export type FreshLogits = (node: number, flips: Flips) => Promise<Values>;

/**
 * Evaluates single nodes afresh, for results (rule B3). A model that reads a few steps around a node, or its PageRank
 * row, is run on these alone, which gives the same result as the whole graph.
 */
export function freshLogits(model: Model, view: GraphView): FreshLogits {
  if (model instanceof Pprgo) return onFlippedRows(model, view);
  const isOurs = model instanceof Gcn || model instanceof Sgc; // another forward pass may not use gcnMatrix
  const stack = isOurs ? scope(() => stackOf(model)) : null;
  return stack ? onCutOuts(model, stack, view) : onWholeGraph(model, view);
}

function onFlippedRows(model: Pprgo, view: GraphView): FreshLogits {
  const rows = directedRows(hostGraph(view, model.name));
  return (node, flips) => flippedRowLogits(model, rows, node, flips);
}

/** Logits of a node of PPRGo or a relative: its row is pushed on the graph with these flips. */
export function flippedRowLogits(model: Pprgo, rows: DirectedRows, node: number, flips: Flips): Promise<Values> {
  const { numNodes, directed } = rows;
  const features = (nodes: Int32Array) => rows.features(nodes);
  return firstRow(() => model.logitsOf({ numNodes, features, ...flippedNeighbours(rows, flips, directed) }, [node]));
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

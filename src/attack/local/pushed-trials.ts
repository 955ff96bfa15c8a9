import { breathe } from "../../core/breathe.ts";
import type { Flips } from "../../graph/flips.ts";
import { flippedNeighbours } from "../../graph/push/flipped-neighbours.ts";
import { push } from "../../graph/push/push.ts";
import { DenseWorkspace, HashWorkspace, type PushWorkspace } from "../../graph/push/push-workspace.ts";
import { stackRows, topKRow } from "../../graph/push/top-k-rows.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { SparseMatrix, scope, tensor, type Values } from "../../tensor/index.ts";
import type { DirectedRows } from "./attacked-graph.ts";
import { EncodedNodes } from "./encoded-nodes.ts";
import type { NodeTrials } from "./node-trials.ts";

/** Up to this many nodes, a push keeps its state in arrays as long as the graph. */
const MOST_DENSE = 2 ** 22;

/** PPRGo on flipped graphs: pushes the row of the node again, on the clean graph with the flips laid over it. */
export class PushedTrials implements NodeTrials {
  readonly encoded: EncodedNodes;
  private readonly model: Pprgo;
  private readonly graph: DirectedRows;
  private readonly work: PushWorkspace;

  constructor(model: Pprgo, graph: DirectedRows) {
    this.model = model;
    this.graph = graph;
    this.encoded = new EncodedNodes(model, (nodes) => graph.features(nodes));
    this.work = graph.numNodes <= MOST_DENSE ? new DenseWorkspace(graph.numNodes) : new HashWorkspace();
  }

  async logits(node: number, flips: Flips): Promise<Values> {
    const { model, graph } = this;
    const flipped = flippedNeighbours(graph, flips, graph.directed);
    const row = topKRow(push(node, flipped, model.pageRank, this.work), model.pageRank.k);
    const { values, classes } = await this.encoded.of(Array.from(row.columns));
    const columns = Array.from(row.columns, (_, t) => t);
    const logits = scope(() => {
      const neighbours = SparseMatrix.upload(
        model.backend,
        stackRows([{ columns, values: row.values }], columns.length),
      );
      return model.mix(neighbours, tensor(model.backend, values, [columns.length, classes]));
    });
    const result = await logits.read().finally(() => logits.dispose());
    await breathe();
    return result;
  }

  dispose(): void {}
}

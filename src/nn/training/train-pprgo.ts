import { selectRows } from "../../graph/select-rows.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import type { Pprgo } from "../models/pprgo.ts";
import { checkLabels, rowsInMemory } from "./labelled-rows.ts";
import type { History, TrainTask, Watch } from "./train.ts";
import { type PprgoTrainConfig, trainOnRows } from "./train-on-rows.ts";

/**
 * Trains `model` in place on a graph in memory: rows of PageRank for training and validation nodes are computed once, and
 * {@link trainOnRows} learns from them.
 */
export async function trainPprgo(
  model: Pprgo,
  view: GraphView,
  task: TrainTask,
  config: PprgoTrainConfig,
  watch: Watch = {},
): Promise<History> {
  const graph = hostGraph(view, "pprgo");
  const labelled = (nodes: ArrayLike<number>) => {
    const labels = Int32Array.from(nodes, (node) => graph.labels[node]);
    return rowsInMemory(model.rowsFor(graph, nodes), checkLabels(nodes, labels));
  };
  const data = {
    train: labelled(task.train),
    val: labelled(task.val),
    features: (nodes: Int32Array) => selectRows(graph.features, nodes),
  };
  return trainOnRows(model, data, task.rng, config, watch);
}

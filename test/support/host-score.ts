import type { Objective } from "../../src/attack/objective.ts";
import { customObjective } from "../../src/attack/objective.ts";
import type { Graph } from "../../src/graph/graph.ts";
import { logSoftmax, mean, mul, softmax } from "../../src/tensor/index.ts";
import { denseOf } from "./dense.ts";
import { argmax, denseFeatures, denseGcnLogits, type HostGcn } from "./dense-gcn.ts";

/** An objective that does not add up from margins. */
export const entropyObjective = customObjective("entropy", (z) => mean(mul(softmax(z), logSoftmax(z)), -1));

/** What an objective makes of a graph, by plain loops. */
export function hostScore(objective: Objective, model: HostGcn, graph: Graph, nodes: readonly number[]): number {
  const logits = denseGcnLogits(model, denseOf(graph.adjacency), denseFeatures(graph));
  const rows = nodes.map((node) => logits[node]);
  const labels = nodes.map((node) => graph.labels[node]);
  const average = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  if (objective.name === "accuracy") return rows.filter((z, k) => argmax(z) === labels[k]).length;
  if (objective.name === "margin") return average(rows.map((z, k) => margin(z, labels[k])));
  if (objective === entropyObjective) return average(rows.map((z) => -entropy(z) / z.length));
  const target = objective.perNode!.towards!;
  return rows.filter((z) => argmax(z) !== target).length;
}

function margin(z: readonly number[], label: number): number {
  return z[label] - Math.max(...z.filter((_, c) => c !== label));
}

function entropy(z: readonly number[]): number {
  const total = z.reduce((sum, x) => sum + Math.exp(x), 0);
  return -z.reduce((sum, x) => sum + (Math.exp(x) / total) * (x - Math.log(total)), 0);
}

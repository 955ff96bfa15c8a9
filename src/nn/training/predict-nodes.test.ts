import { expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Graph } from "../../graph/graph.ts";
import { toDevice } from "../../tensor/index.ts";
import { predict } from "./evaluate.ts";
import { predictNodes } from "./predict-nodes.ts";

test("confidences are the softmax of the logits at the predicted class, margins those of the true one", async () => {
  const { model, view, graph } = await attackCase(createReference(), 4);
  const nodes = [6, 2, 11];
  const logits = await predict(model, view).read();
  const { predictions, confidences, margins } = await predictNodes(model, view, nodes);
  for (const [k, node] of nodes.entries()) {
    const row = Array.from(logits.slice(node * graph.numClasses, (node + 1) * graph.numClasses));
    const weights = row.map((logit) => Math.exp(logit));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(predictions[k]).toBe(row.indexOf(Math.max(...row)));
    expect(confidences[k]).toBeCloseTo(weights[predictions[k]] / total, 12);
    const others = row.filter((_, c) => c !== graph.labels[node]);
    expect(margins[k]).toBeCloseTo(row[graph.labels[node]] - Math.max(...others), 12);
  }
});

test("all nodes are classified unless some are named, and a node needs no label", async () => {
  const backend = createReference();
  const { model, graph } = await attackCase(backend, 4);
  const labels = graph.labels.with(3, -1);
  const view = toDevice(backend, new Graph({ ...graph, labels }));
  const { nodes, predictions, margins } = await predictNodes(model, view);
  expect(nodes).toEqual(Int32Array.from(graph.labels.keys()));
  expect(predictions).toEqual(graph.labels); // the model is right about every node of this case
  expect(Array.from(margins, Number.isNaN).indexOf(true)).toBe(3);
});

test("frees what it made, and refuses nodes that are not there", async () => {
  const backend = createReference();
  const { model, view } = await attackCase(backend, 4);
  await predictNodes(model, view);
  const before = backend.memory.current;
  await predictNodes(model, view, [1]);
  await expect(predictNodes(model, view, [14])).rejects.toThrow("node 14 must be in 0 … 13");
  expect(backend.memory.current).toBe(before);
});

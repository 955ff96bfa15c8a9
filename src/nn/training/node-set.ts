import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import type { Graph } from "../../graph/graph.ts";
import { argmaxRows, countEqual, gatherRows, IntTensor, keep, scope, type Tensor } from "../../tensor/index.ts";

/** Some nodes of a graph and their classes, on a device. */
export interface NodeSet {
  readonly size: number;
  readonly nodes: IntTensor;
  readonly labels: IntTensor;
  dispose(): void;
}

export function nodeSet(backend: Backend, graph: Graph, nodes: ArrayLike<number>): NodeSet {
  const labels = Int32Array.from(nodes, (node) => {
    check(node >= 0 && node < graph.numNodes, () => `node ${node} must be in 0 … ${graph.numNodes - 1}`);
    check(graph.labels[node] >= 0, () => `node ${node} has no label; choose labelled nodes`);
    return graph.labels[node];
  });
  const [onDevice, labelsOnDevice] = [IntTensor.from(backend, nodes), IntTensor.from(backend, labels)].map(keep);
  return {
    ...{ size: nodes.length, nodes: onDevice!, labels: labelsOnDevice! },
    dispose() {
      onDevice!.dispose();
      labelsOnDevice!.dispose();
    },
  };
}

/** How many of the nodes get their own class, as a tensor of one element, so that nothing waits for it. */
export function numCorrect(logits: Tensor, { nodes, labels }: NodeSet): Tensor {
  return scope(() => numEqual(gatherRows(logits, nodes), labels));
}

/** In how many rows the entry of the row's label is the largest. */
export function numEqual(logits: Tensor, labels: IntTensor): Tensor {
  return scope(() => countEqual(argmaxRows(logits), labels));
}

/** Share of the nodes that get their own class. */
export async function accuracy(logits: Tensor, set: NodeSet): Promise<number> {
  const correct = numCorrect(logits, set);
  const value = (await correct.item()) / set.size;
  correct.dispose();
  return value;
}

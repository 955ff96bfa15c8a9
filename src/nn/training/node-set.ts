import { check } from "../../core/errors.ts";
import { countCorrect, type GraphView, gatherRows, IntTensor, keep, scope, type Tensor } from "../../tensor/index.ts";

/** Some nodes of a graph and their classes, on a device. */
export interface NodeSet {
  readonly size: number;
  readonly nodes: IntTensor;
  readonly labels: IntTensor;
  dispose(): void;
}

/** The classes of nodes. Throws if a node does not exist or has no class. */
export function labelsOf({ numNodes, labels }: GraphView, nodes: ArrayLike<number>): Int32Array {
  return Int32Array.from(nodes, (node) => {
    check(node >= 0 && node < numNodes, () => `node ${node} must be in 0 … ${numNodes - 1}`);
    check(labels[node] >= 0, () => `node ${node} has no label; choose labelled nodes`);
    return labels[node];
  });
}

/**
 * Uploads some nodes and their classes, for {@link crossEntropy} and {@link accuracy}. Every node must have a class; the caller
 * disposes the set.
 */
export function nodeSet(view: GraphView, nodes: ArrayLike<number>): NodeSet {
  const { backend } = view;
  const classes = labelsOf(view, nodes);
  const onDevice = keep(IntTensor.from(backend, nodes));
  const classesOnDevice = keep(IntTensor.from(backend, classes));
  return {
    size: nodes.length,
    nodes: onDevice,
    labels: classesOnDevice,
    dispose() {
      onDevice.dispose();
      classesOnDevice.dispose();
    },
  };
}

/** The number of correctly classified nodes, as a tensor of one element that is not read back. */
export function numCorrect(logits: Tensor, { nodes, labels }: NodeSet): Tensor {
  return scope(() => countCorrect(gatherRows(logits, nodes), labels));
}

/** Share of the nodes that are classified correctly. */
export async function accuracy(logits: Tensor, set: NodeSet): Promise<number> {
  const correct = numCorrect(logits, set);
  const value = (await correct.item()) / set.size;
  correct.dispose();
  return value;
}

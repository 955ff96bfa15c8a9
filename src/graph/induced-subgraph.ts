import { check } from "../core/errors.ts";
import { allocRowPtr, type Csr } from "./csr.ts";
import { Graph } from "./graph.ts";
import { selectRows } from "./select-rows.ts";

/** The given nodes (ascending, distinct), renumbered from 0 in this order, with the edges between them. */
export function inducedSubgraph(graph: Graph, nodes: Int32Array): Graph {
  checkAscending(nodes, graph.numNodes);
  return new Graph({
    ...graph,
    adjacency: principalSubmatrix(graph.adjacency, nodes),
    features: selectRows(graph.features, nodes),
    labels: Int32Array.from(nodes, (node) => graph.labels[node]),
  });
}

/** The rows and columns `nodes` of a square matrix. Nodes ascend, so columns stay ascending without sorting. */
function principalSubmatrix(A: Csr, nodes: Int32Array): Csr {
  const renumbered = new Int32Array(A.numCols).fill(-1);
  for (let i = 0; i < nodes.length; i++) renumbered[nodes[i]] = i;
  let bound = 0;
  for (const node of nodes) bound += A.rowPtr[node + 1] - A.rowPtr[node];
  const rowPtr = allocRowPtr(nodes.length, bound);
  const colIdx = new Int32Array(bound);
  const values = A.values ? new Float32Array(bound) : null;
  let size = 0;
  for (let i = 0; i < nodes.length; i++) {
    for (let e = A.rowPtr[nodes[i]]; e < A.rowPtr[nodes[i] + 1]; e++) {
      const j = renumbered[A.colIdx[e]];
      if (j < 0) continue;
      if (values) values[size] = A.values![e];
      colIdx[size++] = j;
    }
    rowPtr[i + 1] = size;
  }
  const square = { numRows: nodes.length, numCols: nodes.length, rowPtr };
  return { ...square, colIdx: colIdx.slice(0, size), values: values?.slice(0, size) ?? null };
}

function checkAscending(nodes: Int32Array, numNodes: number): void {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    check(node >= 0 && node < numNodes, () => `inducedSubgraph: node ${node} must be in 0 … ${numNodes - 1}`);
    const before = i === 0 ? -1 : nodes[i - 1];
    check(before < node, () => `inducedSubgraph: nodes must ascend, got ${before} then ${node}; sort them`);
  }
}

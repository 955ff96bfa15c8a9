import { type Csr, isSymmetric, transpose } from "./csr.ts";
import type { Graph } from "./graph.ts";
import { inducedSubgraph } from "./induced-subgraph.ts";

export interface Components {
  /** Component of each node; components are numbered by their smallest node. */
  readonly component: Int32Array;
  readonly sizes: number[];
}

/** Weakly connected components: directions are ignored. Breadth-first, linear in nodes and entries. */
export function weakComponents(A: Csr): Components {
  const directions = isSymmetric(A) ? [A] : [A, transpose(A)];
  const component = new Int32Array(A.numRows).fill(-1);
  const queue = new Int32Array(A.numRows);
  const sizes: number[] = [];
  for (let root = 0; root < A.numRows; root++) {
    if (component[root] !== -1) continue;
    component[root] = sizes.length;
    queue[0] = root;
    let size = 1;
    for (let head = 0; head < size; head++) {
      for (const { rowPtr, colIdx } of directions) {
        for (let e = rowPtr[queue[head]]; e < rowPtr[queue[head] + 1]; e++) {
          const node = colIdx[e];
          if (component[node] !== -1) continue;
          component[node] = sizes.length;
          queue[size++] = node;
        }
      }
    }
    sizes.push(size);
  }
  return { component, sizes };
}

/** The nodes of the largest weakly connected component, ascending. Among equals, the one with the smallest node. */
export function largestComponentNodes(A: Csr): Int32Array {
  const { component, sizes } = weakComponents(A);
  const largest = sizes.reduce((best, size, c) => (size > sizes[best] ? c : best), 0);
  const nodes = new Int32Array(sizes[largest] ?? 0);
  let size = 0;
  for (let node = 0; node < component.length; node++) if (component[node] === largest) nodes[size++] = node;
  return nodes;
}

/**
 * The largest weakly connected component. Kept nodes stay in ascending order and are renumbered; features and labels
 * are sliced with them.
 */
export function largestComponent(graph: Graph): Graph {
  const nodes = largestComponentNodes(graph.adjacency);
  return nodes.length === graph.numNodes ? graph : inducedSubgraph(graph, nodes);
}

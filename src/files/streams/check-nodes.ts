import { DataError } from "../../core/errors.ts";

/** Throws unless `nodes` are nodes of the graph. `nodes[0]` belongs to edge `firstEdge` of the file, for errors. */
export function checkNodes(nodes: Int32Array, numNodes: number, firstEdge: number, where: string): void {
  for (let k = 0; k < nodes.length; k++) {
    if (nodes[k] >= 0 && nodes[k] < numNodes) continue;
    throw new DataError(`${where}: node ${nodes[k]} of edge ${firstEdge + k} must be in 0 … ${numNodes - 1}`);
  }
}

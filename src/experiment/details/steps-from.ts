import type { Csr } from "../../graph/csr.ts";

/** The largest distance counted; nodes farther away count as this far. */
export const FAR = 4;

/**
 * Steps along edges from the nearest of `nodes` to every node; {@link FAR} for nodes that are that far or farther, or
 * not connected.
 */
export function stepsFrom({ rowPtr, colIdx, numRows }: Csr, nodes: ArrayLike<number>): Uint8Array {
  const steps = new Uint8Array(numRows).fill(FAR);
  let frontier = Array.from(nodes);
  for (const node of frontier) steps[node] = 0;
  for (let step = 1; step < FAR; step++) {
    const next: number[] = [];
    for (const node of frontier) {
      for (let e = rowPtr[node]; e < rowPtr[node + 1]; e++) {
        const neighbour = colIdx[e];
        if (steps[neighbour] <= step) continue;
        steps[neighbour] = step;
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  return steps;
}

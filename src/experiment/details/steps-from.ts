import type { Csr } from "../../graph/csr.ts";

/** Farther nodes count as this far. */
export const FAR = 4;

/** Steps along the edges from the nearest of some nodes to every node; {@link FAR} where it takes that many or there is no way. */
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

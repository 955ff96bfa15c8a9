import type { Csr } from "./csr.ts";
import { columnDegrees, rowDegrees } from "./degrees.ts";
import { addSelfLoops } from "./self-loops.ts";

/** `symmetric`: Â_ij = s_i Ã_ij s_j with s = (column sums of Ã)^(−1/2). `row`: Â_ij = Ã_ij / (row sum of Ã). Ã = A + I. */
export type Normalisation = "symmetric" | "row";

/**
 * Â of an unweighted graph without self loops, on the host. `degree` holds the row or column sums of A that the
 * normalisation divides by. If A is a part of a graph, pass the sums of the whole graph.
 */
export function normalisedAdjacency(
  A: Csr,
  normalisation: Normalisation,
  degree: ArrayLike<number> = degreesFor(A, normalisation),
): Csr {
  const { numRows, numCols, rowPtr, colIdx } = addSelfLoops(A);
  const values = new Float32Array(colIdx.length);
  for (let i = 0; i < numRows; i++) {
    const own = degree[i] + 1;
    const end = rowPtr[i + 1];
    if (normalisation === "row") values.fill(1 / own, rowPtr[i], end);
    else for (let e = rowPtr[i]; e < end; e++) values[e] = inverseRoot(own * (degree[colIdx[e]] + 1));
  }
  return { numRows, numCols, rowPtr, colIdx, values };
}

/** Inverse roots are in a table for products of two degrees below this: nearly all of them. */
const KEPT = 2 ** 14;
const inverseRoots = Float32Array.from({ length: KEPT }, (_, product) => 1 / Math.sqrt(product));

/** 1 / √product for a product of two degrees, a whole number: looking it up takes a fifth of the time. */
function inverseRoot(product: number): number {
  return product < KEPT ? inverseRoots[product] : 1 / Math.sqrt(product);
}

/** The sums that a normalisation divides by, without the self loop: row sums of A, or its column sums. */
export function degreesFor(A: Csr, normalisation: Normalisation): Int32Array {
  return normalisation === "row" ? rowDegrees(A) : columnDegrees(A);
}

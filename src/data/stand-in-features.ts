import type { Csr } from "../graph/csr.ts";
import { rowDegrees } from "../graph/degrees.ts";
import type { Features } from "../graph/graph.ts";

/** Up to this many nodes, a feature for each of them makes a first layer of moderate size. */
const MOST_OWN_FEATURES = 20_000;

/** Features for a graph that has none, and a line about them. */
export interface StandIn {
  readonly features: Features;
  readonly note: string;
}

/** The identity matrix, one feature for each node, or the logarithm of the degree where that would be too many. */
export function standInFeatures(name: string, adjacency: Csr): StandIn {
  const { numRows } = adjacency;
  if (numRows <= MOST_OWN_FEATURES) {
    return { features: identity(numRows), note: `${name}: has no features; each node gets one of its own (identity)` };
  }
  const data = Float32Array.from(rowDegrees(adjacency), (degree) => Math.log1p(degree));
  const features = { numRows, numCols: 1, data };
  return { features, note: `${name}: has no features; the only one is log(1 + degree)` };
}

function identity(size: number): Csr {
  const rowPtr = Int32Array.from({ length: size + 1 }, (_, i) => i);
  return {
    numRows: size,
    numCols: size,
    rowPtr,
    colIdx: rowPtr.slice(0, size),
    values: new Float32Array(size).fill(1),
  };
}

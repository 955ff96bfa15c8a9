export { type Components, largestComponent, largestComponentNodes, weakComponents } from "./components.ts";
export {
  allocRowPtr,
  type Csr,
  checkCsr,
  csrFromEntries,
  findEntry,
  hasEntry,
  isSymmetric,
  mergeDuplicates,
  numEntries,
  transpose,
} from "./csr.ts";
export { columnDegrees, rowDegrees } from "./degrees.ts";
export { edgeHomophily } from "./edge-homophily.ts";
export { applyFlips, checkFlips, type FlipAction, type Flips, flipActions } from "./flips.ts";
export { checkGraph, type DenseMatrix, type Features, Graph, type GraphParts, isSparse } from "./graph.ts";
export { inducedSubgraph } from "./induced-subgraph.ts";
export { type Normalisation, normalisedAdjacency } from "./normalise.ts";
export { selectRows } from "./select-rows.ts";
export { addSelfLoops, countSelfLoops, dropSelfLoops } from "./self-loops.ts";
export { symmetrise, toUndirected } from "./symmetrise.ts";

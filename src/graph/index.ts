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
export { generateShape } from "./generate-shape.ts";
export { checkGraph, type DenseMatrix, type Features, Graph, type GraphParts, isSparse } from "./graph.ts";
export { type GraphRows, rowsOfGraph } from "./graph-rows.ts";
export { inducedSubgraph } from "./induced-subgraph.ts";
export { type Normalisation, normalisedAdjacency } from "./normalise.ts";
export { pairAt, pairCount, pairIndex } from "./pair-index.ts";
export { selectRows } from "./select-rows.ts";
export { addSelfLoops, countSelfLoops, dropSelfLoops } from "./self-loops.ts";
export { rowGenerator, type ShapeRows } from "./shape-rows.ts";
export { SHAPES, type Shape, type ShapeName, scaleShape, shapeNamed } from "./shapes.ts";
export { symmetrise, toUndirected } from "./symmetrise.ts";

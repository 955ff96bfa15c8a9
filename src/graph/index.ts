/**
 * Graphs with features and labels, operations on their edges, and generated graphs.
 *
 * @module rgnn/graph
 */
export { largestComponent } from "./components.ts";
export { type Csr, checkCsr, csrFromEntries, hasEntry, isSymmetric, numEntries, transpose } from "./csr.ts";
export { columnDegrees, rowDegrees } from "./degrees.ts";
export { edgeHomophily } from "./edge-homophily.ts";
export { applyFlips, checkFlips, type FlipAction, type Flips, flipActions } from "./flips.ts";
export { generateShape } from "./generate-shape.ts";
export { checkGraph, type DenseMatrix, type Features, Graph, type GraphParts, isSparse } from "./graph.ts";
export { type GraphRows, rowsOfGraph } from "./graph-rows.ts";
export { inducedSubgraph } from "./induced-subgraph.ts";
export { type Normalisation, normalisedAdjacency } from "./normalise.ts";
export { selectRows } from "./select-rows.ts";
export { addSelfLoops, dropSelfLoops } from "./self-loops.ts";
export type { ShapeRows } from "./shape-rows.ts";
export { SHAPES, type Shape, type ShapeName, scaleShape, shapeNamed } from "./shapes.ts";
export { symmetrise, toUndirected } from "./symmetrise.ts";

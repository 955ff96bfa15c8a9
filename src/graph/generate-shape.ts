import { Graph } from "./graph.ts";
import { rowGenerator } from "./shape-rows.ts";
import { type Shape, type ShapeName, shapeNamed } from "./shapes.ts";
import { symmetrise } from "./symmetrise.ts";

/**
 * A graph of the given shape with learnable labels, whole in memory: homophilous classes, class-dependent dense
 * features, skewed degrees. The same seed gives the same graph. `streamShape` generates graphs that do not fit in memory,
 * in chunks of rows.
 *
 * @example
 * const graph = generateShape("arxiv"); // 169,343 nodes, 2.3 million entries
 */
export function generateShape(shape: Shape | ShapeName, seed = 0): Graph {
  const wanted: Shape = typeof shape === "string" ? shapeNamed(shape) : shape;
  const { name, numNodes, numFeatures, numClasses, directed } = wanted;
  const { rowPtr, colIdx, features, labels } = rowGenerator(wanted, seed)(0, numNodes);
  const drawn = { numRows: numNodes, numCols: numNodes, rowPtr, colIdx, values: null };
  return new Graph({
    name,
    adjacency: directed ? { ...drawn, colIdx: colIdx.slice() } : symmetrise(drawn),
    features: { numRows: numNodes, numCols: numFeatures, data: features },
    labels,
    numClasses,
    directed,
  });
}

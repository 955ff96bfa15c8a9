import { check, DataError } from "../core/errors.ts";
import { type Csr, checkCsr, isSymmetric, numEntries } from "./csr.ts";

/** Node features: one dense row per node, or sparse rows (such as bags of words). */
export type Features = DenseMatrix | Csr;

/** A dense matrix, row by row. */
export interface DenseMatrix {
  readonly numRows: number;
  readonly numCols: number;
  readonly data: Float32Array;
}

/** What a {@link Graph} is made from. */
export interface GraphParts {
  readonly name?: string;
  /** Unweighted; row i lists the nodes that node i aggregates from. Undirected graphs store both directions (rule G3). */
  readonly adjacency: Csr;
  readonly features: Features;
  /** Class of each node, −1 where it is unknown. */
  readonly labels: Int32Array;
  readonly numClasses?: number;
  readonly directed: boolean;
}

/**
 * An attributed graph. It never changes (rule G1); every edit makes a new one that may share storage.
 *
 * @example
 * const adjacency = symmetrise(csrFromEntries(3, 3, [0, 1], [1, 2])); // 0 – 1 – 2
 * const features = { numRows: 3, numCols: 2, data: Float32Array.of(1, 0, 1, 0, 0, 1) };
 * const graph = checkGraph(new Graph({ adjacency, features, labels: Int32Array.of(0, 0, 1), directed: false }));
 */
export class Graph {
  readonly name: string;
  readonly adjacency: Csr;
  readonly features: Features;
  readonly labels: Int32Array;
  readonly numClasses: number;
  readonly directed: boolean;

  constructor(parts: GraphParts) {
    this.name = parts.name ?? "graph";
    this.adjacency = parts.adjacency;
    this.features = parts.features;
    this.labels = parts.labels;
    this.directed = parts.directed;
    this.numClasses = parts.numClasses ?? 1 + maxLabel(parts.labels);
  }

  get numNodes(): number {
    return this.adjacency.numRows;
  }
  get numFeatures(): number {
    return this.features.numCols;
  }
  /** Stored entries: an undirected edge counts twice. */
  get numEntries(): number {
    return numEntries(this.adjacency);
  }
  /** Edges that budgets count: an undirected edge counts once. */
  get numEdges(): number {
    return this.directed ? this.numEntries : this.numEntries / 2;
  }

  /** The same nodes with other edges. */
  withAdjacency(adjacency: Csr): Graph {
    return new Graph({ ...this, adjacency });
  }
}

/** True if features are stored as sparse rows. */
export function isSparse(features: Features): features is Csr {
  return "rowPtr" in features;
}

/** Checks everything a graph promises (rules G2 to G4, finite features, labels in range). For data from outside. */
export function checkGraph(graph: Graph): Graph {
  const { name, adjacency, features, labels, numClasses } = graph;
  checkCsr(adjacency, `${name}: adjacency`);
  check(
    adjacency.numRows === adjacency.numCols,
    () => `${name}: adjacency must be square, got ${adjacency.numRows} × ${adjacency.numCols}`,
    DataError,
  );
  check(
    features.numRows === graph.numNodes,
    () => `${name}: ${features.numRows} rows of features for ${graph.numNodes} nodes`,
    DataError,
  );
  check(
    labels.length === graph.numNodes,
    () => `${name}: ${labels.length} labels for ${graph.numNodes} nodes`,
    DataError,
  );
  if (isSparse(features)) checkCsr(features, `${name}: features`);
  const stored = isSparse(features) ? (features.values ?? new Float32Array(0)) : features.data;
  const bad = stored.findIndex((value) => !Number.isFinite(value));
  check(bad < 0, () => `${name}: feature value ${stored[bad]} at position ${bad} must be finite`, DataError);
  const wrong = labels.findIndex((label) => label < -1 || label >= numClasses);
  check(
    wrong < 0,
    () => `${name}: label ${labels[wrong]} of node ${wrong} must be in 0 … ${numClasses - 1}, or -1 for none`,
    DataError,
  );
  for (let i = 0; i < graph.numNodes; i++) {
    for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) {
      check(adjacency.colIdx[e] !== i, () => `${name}: node ${i} has a self loop; drop self loops first`, DataError);
    }
  }
  check(
    graph.directed || isSymmetric(adjacency),
    () => `${name}: an undirected graph must store both directions of each edge; symmetrise it or call it directed`,
    DataError,
  );
  return graph;
}

function maxLabel(labels: Int32Array): number {
  let max = -1;
  for (const label of labels) if (label > max) max = label;
  return max;
}

import { rowDegrees } from "../../graph/degrees.ts";
import type { Graph } from "../../graph/graph.ts";
import { countDegrees } from "./degree-bins.ts";
import { type GraphProfile, MOST_CLASSES } from "./graph-profile.ts";
import { shortNumber } from "./short-number.ts";
import { stepsFrom } from "./steps-from.ts";

/** What run details need to know about a graph before it is attacked. */
export interface CleanGraph {
  readonly graph: Graph;
  readonly profile: GraphProfile;
  /** Degree of every node. */
  readonly degrees: Int32Array;
  /** Steps from every node to the nearest training node. */
  readonly steps: Uint8Array;
  /** Number of edges whose ends both have a known class, and how many of them have ends of the same class. */
  readonly edges: { readonly knownClass: number; readonly sameClass: number };
}

/** Visits every stored edge, so it is called once for all runs on a graph with a split. */
export function cleanGraph(graph: Graph, classes: readonly string[], train: ArrayLike<number>): CleanGraph {
  const { adjacency, numNodes, numEdges, numFeatures, numClasses, directed } = graph;
  const degrees = rowDegrees(adjacency);
  const edges = countEdges(graph);
  const profile = {
    numNodes,
    numEdges,
    numFeatures,
    numClasses,
    directed,
    classes: numClasses > MOST_CLASSES ? null : classes,
    homophily: edges.knownClass > 0 ? shortNumber(edges.sameClass / edges.knownClass) : null,
    degrees: countDegrees(degrees),
  };
  return { graph, profile, degrees, steps: stepsFrom(adjacency, train), edges };
}

function countEdges({ adjacency, labels, directed }: Graph): CleanGraph["edges"] {
  const { rowPtr, colIdx, numRows } = adjacency;
  const stored = directed ? 1 : 2; // entries per edge
  let known = 0;
  let same = 0;
  for (let i = 0; i < numRows; i++) {
    if (labels[i] < 0) continue;
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      const label = labels[colIdx[e]];
      if (label >= 0) known++;
      if (label === labels[i]) same++;
    }
  }
  return { knownClass: known / stored, sameClass: same / stored };
}

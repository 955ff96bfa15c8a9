/** What a report says of a graph. */
export interface GraphProfile {
  readonly numNodes: number;
  readonly numEdges: number;
  readonly numFeatures: number;
  readonly numClasses: number;
  readonly directed: boolean;
  /** Names of the classes; null if there are too many to tell apart in a picture. */
  readonly classes: readonly string[] | null;
  /** Share of edges between nodes of the same class; null if no edge has two known classes. */
  readonly homophily: number | null;
  /** Nodes by degree, in bins that double. */
  readonly degrees: readonly number[];
}

/** Above this, nothing is counted by class. */
export const MOST_CLASSES = 64;

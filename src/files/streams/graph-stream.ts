import type { Split } from "../../data/splits.ts";

/** A graph in files that is read piece by piece, because it may be larger than memory. */
export interface GraphStream {
  readonly name: string;
  /** What error messages call it: the file or folder. */
  readonly where: string;
  readonly numNodes: number;
  readonly numFeatures: number;
  /** About how many edges there are; the same number every time. */
  readonly numEdges: number;
  /** Whole rows of features, from that of node `begin` on; float16 as its bits if it is stored so. */
  features(begin: number): AsyncIterable<Float32Array | Uint16Array>;
  /** Edges in the order of the files, from edge `begin` on. */
  edges(begin: number): AsyncIterable<EdgeChunk>;
  /** The class of each node in turn, −1 where it is unknown. */
  labels(): AsyncIterable<Int32Array>;
  /** The split that comes with the graph, if one does. */
  split(): Promise<Split | undefined>;
  close(): void;
}

/** Edges from `sources` to `targets`, whose nodes are 0 … numNodes − 1. */
export interface EdgeChunk {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
}

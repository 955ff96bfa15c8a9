import type { Split } from "../../data/splits.ts";

/** A graph in files that is read piece by piece, because it may be larger than memory. */
export interface GraphStream {
  readonly name: string;
  /** The file or folder, for error messages. */
  readonly where: string;
  readonly numNodes: number;
  readonly numFeatures: number;
  /** About how many edges there are; the same number every time. */
  readonly numEdges: number;
  /** Whole rows of features, from node `begin` on. Features stored as float16 come as their bits. */
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

import type { Buffer } from "../backend/backend.ts";
import type { GraphView } from "./graph-view.ts";
import { register } from "./scope.ts";
import type { Tensor } from "./tensor.ts";

/**
 * The edges of a graph and of the overlay on it side by side, with factors of their columns in them, for all convolutions that
 * are scaled by these on both sides. Only of undirected graphs: the same serves the way back. Lives until the scope ends.
 */
export class MergedEdges {
  readonly buffer: Buffer | null;
  private readonly view: GraphView;
  private isDisposed = false;

  constructor(view: GraphView, scale: Tensor) {
    const { backend, graph, adjacency, overlay } = view;
    this.view = view;
    const edges = { A: adjacency.buffers, B: overlay?.active ?? null };
    this.buffer = overlay && !graph.directed ? (backend.mergeEdges?.(edges, scale.buffer) ?? null) : null;
    register(this);
  }

  dispose(): void {
    if (this.buffer && !this.isDisposed) this.view.backend.free(this.buffer);
    this.isDisposed = true;
  }
}

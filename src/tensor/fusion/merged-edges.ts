import type { Buffer } from "../../backend/backend.ts";
import type { GraphView } from "../graph-view.ts";
import { type Disposable, register } from "../scope.ts";
import type { Tensor } from "../tensor.ts";

/** By the factors that are part of the list. */
const lists = new WeakMap<Tensor, MergedEdges>();

/**
 * The edges of a graph and the active pairs over it in one list, with factors of their columns in it, for all convolutions that are
 * scaled by these on both sides; null if there is no such list. Only of undirected graphs: the same serves the way back.
 */
export function mergedEdges(view: GraphView, scale: Tensor, sides: "left" | "both"): Buffer | null {
  if (!view.overlay || view.directed || sides !== "both") return null;
  const known = lists.get(scale);
  if (known && !known.isDisposed) return known.buffer;
  const made = new MergedEdges(view, scale);
  lists.set(scale, made);
  return made.buffer;
}

/** Lives until the scope ends. */
class MergedEdges implements Disposable {
  readonly buffer: Buffer | null;
  isDisposed = false;
  private readonly view: GraphView;

  constructor(view: GraphView, scale: Tensor) {
    const { backend, adjacency, overlay } = view;
    this.view = view;
    this.buffer = backend.mergeEdges({ A: adjacency.buffers, B: overlay!.active }, scale.buffer);
    register(this);
  }

  dispose(): void {
    if (this.buffer && !this.isDisposed) this.view.backend.free(this.buffer);
    this.isDisposed = true;
  }
}

import type { Buffer } from "../../backend/backend.ts";
import type { GraphView } from "../graph-view.ts";
import { type Disposable, register } from "../scope.ts";
import type { Tensor } from "../tensor.ts";

/** Lists by the tensor of factors that they contain. */
const lists = new WeakMap<Tensor, MergedEdges>();

/**
 * The edges of a graph and the active pairs over it in one list, each multiplied by the factor of its column in
 * `scale`. All convolutions with this `scale` on both sides share the list. Null without an overlay, or if the backend
 * makes no list. Only for undirected graphs, where the backward pass uses the same list.
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

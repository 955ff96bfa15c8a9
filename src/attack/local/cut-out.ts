import { type Flips, flipActions } from "../../graph/flips.ts";
import { Graph } from "../../graph/graph.ts";
import { rowsOfGraph } from "../../graph/graph-rows.ts";
import type { Normalisation } from "../../graph/normalise.ts";
import { flippedNeighbours } from "../../graph/push/flipped-neighbours.ts";
import type { Neighbours } from "../../graph/push/neighbours.ts";
import { selectRows } from "../../graph/select-rows.ts";

/** The part of a flipped graph that some graph convolutions read for one node. */
export interface CutOut {
  /**
   * The nodes within as many steps as there are convolutions. Nodes at the border have no edges, because their sums are
   * not needed.
   */
  readonly graph: Graph;
  /** The node, as the part numbers it. */
  readonly node: number;
  /**
   * For each node of the part, its degree in the whole flipped graph, as the normalisation counts it, without the self
   * loop.
   */
  readonly degrees: Float64Array;
}

/** Cuts parts out of flipped graphs. The flips are different each time and never applied to the whole graph. */
export class CutOuts {
  private readonly graph: Graph;
  private readonly normalisation: Normalisation;
  private readonly steps: number;
  private readonly cleanDegrees: ArrayLike<number>;

  /** `cleanDegrees` are those that the normalisation divides by on the clean graph. */
  constructor(graph: Graph, normalisation: Normalisation, steps: number, cleanDegrees: ArrayLike<number>) {
    this.graph = graph;
    this.normalisation = normalisation;
    this.steps = steps;
    this.cleanDegrees = cleanDegrees;
  }

  around(node: number, flips: Flips): CutOut {
    const { graph } = this;
    const flipped = flippedNeighbours(rowsOfGraph(graph), flips, graph.directed);
    const inner = within(flipped, new Set([node]), this.steps - 1);
    const nodes = Int32Array.from(within(flipped, inner, 1)).sort();
    const places = new Map(Array.from(nodes, (v, place) => [v, place]));
    const rowPtr = new Int32Array(nodes.length + 1);
    const colIdx: number[] = [];
    for (const [place, v] of nodes.entries()) {
      if (inner.has(v)) for (const u of Array.from(flipped.neighbours(v))) colIdx.push(places.get(u)!);
      rowPtr[place + 1] = colIdx.length;
    }
    const size = { numRows: nodes.length, numCols: nodes.length };
    const part = new Graph({
      ...graph,
      adjacency: { ...size, rowPtr, colIdx: Int32Array.from(colIdx), values: null },
      features: selectRows(graph.features, nodes),
      labels: Int32Array.from(nodes, (v) => graph.labels[v]),
      directed: true, // rows at the border are empty
    });
    return { graph: part, node: places.get(node)!, degrees: this.degreesAfter(flips, nodes) };
  }

  private degreesAfter(flips: Flips, nodes: Int32Array): Float64Array {
    const changes = new Map<number, number>();
    const change = (v: number, delta: number) => changes.set(v, (changes.get(v) ?? 0) + delta);
    for (const [k, action] of flipActions(this.graph, flips).entries()) {
      const delta = action === "add" ? 1 : -1;
      const countsSource = !this.graph.directed || this.normalisation === "row";
      const countsTarget = !this.graph.directed || this.normalisation === "symmetric";
      if (countsSource) change(flips.sources[k], delta);
      if (countsTarget) change(flips.targets[k], delta);
    }
    return Float64Array.from(nodes, (v) => this.cleanDegrees[v] + (changes.get(v) ?? 0));
  }
}

/** Nodes within some steps of these. */
function within(graph: Neighbours, from: ReadonlySet<number>, steps: number): Set<number> {
  const reached = new Set(from);
  let border = [...from];
  for (let step = 0; step < steps; step++) {
    const next: number[] = [];
    for (const v of border) {
      for (const u of Array.from(graph.neighbours(v))) {
        if (reached.has(u)) continue;
        reached.add(u);
        next.push(u);
      }
    }
    border = next;
  }
  return reached;
}

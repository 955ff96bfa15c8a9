import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import type { LoadedGraph } from "../data/preprocess.ts";
import { type SplitSource, splitSource } from "../data/split-source.ts";
import type { Split } from "../data/splits.ts";
import { edgeHomophily } from "../graph/edge-homophily.ts";
import type { Flips } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";
import { type DeviceGraph, toDevice } from "../tensor/index.ts";
import type { OpenedGraph, Role } from "./calls.ts";

/** The edges of graphs up to this size are sent along, so that the whole graph can be drawn. */
const MOST_NODES_DRAWN = 50_000;
const MOST_EDGES_DRAWN = 300_000;

/** The graph that a lab works on, on its device. */
export class LabGraph {
  readonly id: string;
  readonly view: DeviceGraph;
  private readonly loaded: LoadedGraph;
  private readonly splits: SplitSource;

  constructor(id: string, backend: Backend, loaded: LoadedGraph) {
    this.id = id;
    this.loaded = loaded;
    this.splits = splitSource(loaded);
    this.splits.split(0); // a graph without labels fails here, not when it is trained on
    this.view = toDevice(backend, loaded.graph);
  }

  get graph(): Graph {
    return this.loaded.graph;
  }

  /** The split that published results on the graph use. */
  split(seed: number): Split {
    return this.splits.split(seed);
  }

  describe(): OpenedGraph {
    const { graph, ids, classes, notes } = this.loaded;
    const homophily = edgeHomophily(graph);
    const isDrawn = graph.numNodes <= MOST_NODES_DRAWN && graph.numEdges <= MOST_EDGES_DRAWN;
    return {
      graph: this.id,
      name: graph.name,
      numNodes: graph.numNodes,
      numEdges: graph.numEdges,
      numFeatures: graph.numFeatures,
      directed: graph.directed,
      classes,
      labels: [...graph.labels],
      edges: isDrawn ? edgesOnce(graph) : null,
      ids: ids.areNumbers ? null : Array.from(graph.labels, (_, node) => ids.idOf(node)),
      homophily: Number.isNaN(homophily) ? null : homophily,
      notes: [...notes, ...this.splits.notes],
    };
  }

  roles(seed: number): Role[] {
    const { train, val, test } = this.split(seed);
    const roles = new Array<Role>(this.graph.numNodes).fill("none");
    for (const node of train) roles[node] = "train";
    for (const node of val) roles[node] = "val";
    for (const node of test) roles[node] = "test";
    return roles;
  }

  dispose(): void {
    this.view.dispose();
  }
}

/** Each edge once, as source, target, source, target, … */
function edgesOnce({ adjacency, numNodes, directed }: Graph): number[] {
  const { rowPtr, colIdx } = adjacency;
  const edges: number[] = [];
  for (let i = 0; i < numNodes; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) if (directed || i < colIdx[e]) edges.push(i, colIdx[e]);
  }
  return edges;
}

/** The pairs of a flat list. On an undirected graph the order of a pair does not matter. */
export function flipsOf({ directed }: Graph, flat: readonly number[]): Flips {
  check(flat.length % 2 === 0, () => `flips: ${flat.length} numbers are no pairs; a flip is a source and a target`);
  const sources = new Int32Array(flat.length / 2);
  const targets = new Int32Array(flat.length / 2);
  for (let k = 0; k < sources.length; k++) {
    const a = flat[2 * k];
    const b = flat[2 * k + 1];
    sources[k] = directed ? a : Math.min(a, b);
    targets[k] = directed ? b : Math.max(a, b);
  }
  return { sources, targets };
}

/** The flat list of pairs. */
export function flatPairs({ sources, targets }: Flips): number[] {
  const flat: number[] = [];
  for (let k = 0; k < sources.length; k++) flat.push(sources[k], targets[k]);
  return flat;
}

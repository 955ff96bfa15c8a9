import type { OpenedGraph } from "rgnn/lab";

/** What the worker is asked to lay out. Positions are x, y, x, y, … */
export interface LayoutTask {
  readonly numNodes: number;
  readonly edges: readonly number[];
  readonly begin: Float32Array;
  readonly iterations: number;
  /** Milliseconds between the positions that it sends. */
  readonly between: number;
}

export interface LaidOut {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly isLast: boolean;
}

/** Positions of the nodes of each graph, so that a view that is opened again shows them where they were. */
const known = new WeakMap<OpenedGraph, Float32Array<ArrayBuffer>>();
/** Graphs whose layout has ended; one that was left before goes on from the positions it had. */
const finished = new WeakSet<OpenedGraph>();

/** Positions to start from: a disc for each class, the discs on a circle. They depend on the graph alone. */
export function firstPositions({ labels, classes }: OpenedGraph): Float32Array {
  const count = Math.max(1, classes.length);
  const placed = new Array<number>(count + 1).fill(0);
  const positions = new Float32Array(2 * labels.length);
  const radius = Math.sqrt(labels.length) * 12;
  const turn = Math.PI * (3 - Math.sqrt(5)); // the golden angle fills a disc evenly
  for (const [node, label] of labels.entries()) {
    const group = label < 0 ? count : label;
    const k = placed[group]++;
    const angle = (2 * Math.PI * group) / count;
    const far = 8 * Math.sqrt(k + 0.5);
    positions[2 * node] = (group < count ? radius * Math.cos(angle) : 0) + far * Math.cos(k * turn);
    positions[2 * node + 1] = (group < count ? radius * Math.sin(angle) : 0) + far * Math.sin(k * turn);
  }
  return positions;
}

export function positionsOf(graph: OpenedGraph): Float32Array {
  return known.get(graph) ?? firstPositions(graph);
}

/**
 * Lays a graph out, unless that is done already. `moved` receives positions as they change, and in any case the last ones.
 * Returns a function that ends it.
 */
export function layOut(graph: OpenedGraph, moved: (laidOut: LaidOut) => void): () => void {
  if (!graph.edges) return () => {};
  if (finished.has(graph)) {
    moved({ positions: known.get(graph)!, isLast: true });
    return () => {};
  }
  const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  let isEnded = false;
  worker.addEventListener("message", ({ data }: MessageEvent<LaidOut>) => {
    if (isEnded) return; // sent before the worker was terminated
    known.set(graph, data.positions);
    if (data.isLast) finished.add(graph);
    moved(data);
    if (data.isLast) worker.terminate();
  });
  const isLarge = graph.numNodes > 6000;
  const task: LayoutTask = {
    numNodes: graph.numNodes,
    edges: graph.edges,
    begin: positionsOf(graph),
    iterations: isLarge ? 50 : 250,
    between: isLarge ? 1000 : 60,
  };
  worker.postMessage(task);
  return () => {
    isEnded = true;
    worker.terminate();
  };
}

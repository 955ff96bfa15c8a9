import fc from "fast-check";
import type { Backend } from "../../src/backend/backend.ts";
import type { Graph } from "../../src/graph/graph.ts";
import { type GraphView, toDevice } from "../../src/tensor/graph-view.ts";
import type { Block } from "../../src/tensor/overlay.ts";
import { anyGraph } from "./any-graph.ts";
import { denseRelaxed, type HostBlock, makeBlock, randomBlock } from "./block.ts";

/** A graph with candidate flips: on the host, on a device, and as one dense matrix. */
export interface RelaxedCase {
  readonly graph: Graph;
  readonly host: HostBlock;
  readonly view: GraphView;
  readonly block: Block;
  readonly dense: number[][];
}

export function relaxedCase(backend: Backend, graph: Graph, host: HostBlock): RelaxedCase {
  const view = toDevice(backend, graph);
  const block = makeBlock(backend, graph, host);
  return { graph, host, view, block, dense: denseRelaxed(graph, host) };
}

/** Any small graph, directed or not, with about half of its pairs as candidates: edges and others, active and not. */
export function anyRelaxed(backend: Backend): fc.Arbitrary<RelaxedCase> {
  return fc.tuple(anyGraph, fc.nat(1e6)).map(([graph, seed]) => relaxedCase(backend, graph, randomBlock(graph, seed)));
}

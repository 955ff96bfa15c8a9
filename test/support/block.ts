import type { Backend, Buffer } from "../../src/backend/backend.ts";
import { Rng } from "../../src/core/rng.ts";
import { hasEntry } from "../../src/graph/csr.ts";
import type { Graph } from "../../src/graph/graph.ts";
import type { Block } from "../../src/tensor/overlay.ts";
import { Tensor, tensor } from "../../src/tensor/tensor.ts";
import { denseOf } from "./dense.ts";

/** Candidate flips on the host: pair (sources[e], targets[e]) with weights[e]. */
export interface HostBlock {
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  readonly weights: readonly number[];
}

/** A block over `graph` on a device, with the sign of each pair looked up in the graph. */
export function makeBlock(backend: Backend, graph: Graph, { sources, targets, weights }: HostBlock): Block {
  const signs = sources.map((i, e) => (hasEntry(graph.adjacency, i, targets[e]) ? -1 : 1));
  return {
    pairs: {
      numNodes: graph.numNodes,
      directed: graph.directed,
      length: sources.length,
      sources: backend.upload(Int32Array.from(sources)),
      targets: backend.upload(Int32Array.from(targets)),
    },
    signs: tensor(backend, signs, [signs.length]),
    weights: tensor(backend, weights, [weights.length]),
  };
}

/** A copy that later changes to `block` do not reach. */
export function copyBlock(backend: Backend, { pairs, signs, weights }: Block): Block {
  const copyOf = (buffer: Buffer) => {
    const out = backend.alloc(buffer.dtype, buffer.length);
    backend.copy(out, buffer);
    return out;
  };
  return {
    pairs: { ...pairs, sources: copyOf(pairs.sources), targets: copyOf(pairs.targets) },
    signs: new Tensor(backend, copyOf(signs.buffer), signs.shape),
    weights: new Tensor(backend, copyOf(weights.buffer), weights.shape),
  };
}

/** About half of all pairs of `graph`, edges and others, every second one with weight 0 and the rest above 0.1. */
export function randomBlock(graph: Graph, seed: number): HostBlock {
  const rng = new Rng(seed);
  const [sources, targets, weights]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < graph.numNodes; i++) {
    for (let j = graph.directed ? 0 : i + 1; j < graph.numNodes; j++) {
      if (i === j || rng.uniform() < 0.5) continue;
      sources.push(i);
      targets.push(j);
      weights.push(rng.uniform() < 0.5 ? 0 : 0.1 + 0.9 * rng.uniform());
    }
  }
  return { sources, targets, weights };
}

/** A ⊕ p as a dense matrix. */
export function denseRelaxed({ adjacency, directed }: Graph, { sources, targets, weights }: HostBlock): number[][] {
  const A = denseOf(adjacency);
  for (const [e, p] of weights.entries()) {
    const i = sources[e];
    const j = targets[e];
    A[i][j] = Math.abs(A[i][j] - p); // 0 goes to p, 1 to 1 − p
    if (!directed) A[j][i] = A[i][j];
  }
  return A;
}

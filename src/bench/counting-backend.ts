import type { Backend, Convolution, CsrBuffers, MatmulSize, PairBuffers, SddmmOptions } from "../backend/backend.ts";
import { gatherNeed, type Need } from "./bench-case.ts";
import type { Ceilings } from "./ceilings.ts";

/** What a run needed at least, of each resource that has a ceiling. */
export type Needs = Record<Need["bound"], number>;

/**
 * The backend, and what its kernels have needed so far. Counted is what any implementation of the same steps must do, however
 * it is cut into kernels: the flops of matrix products; the rows that sparse and sampled products gather; and for blocks of
 * candidate pairs a random word per pair drawn, and every vector of the block written once and read once per step.
 */
export function countingBackend(backend: Backend): { backend: Backend; needs: Needs } {
  const needs: Needs = { flops: 0, gather: 0, shared: 0, cached: 0, stream: 0, words: 0 };
  const count = ({ bound, amount }: Need) => {
    needs[bound] += amount;
  };
  /** Passes over vectors of a block, each of four bytes per pair. */
  const stream = (vectors: number, { length }: { readonly length: number }) =>
    count({ bound: "stream", amount: 4 * vectors * length });
  /** Where pairs are collected on a GPU, only the device knows how many are active: they are left out there. */
  const convolved = ({ A, B }: Convolution, cols: number) => {
    const active = backend.name === "wasm" && B ? B.colIdx.length : 0;
    return gatherNeed(A.colIdx.length + active, cols, A.numCols);
  };
  let resampled = 0;
  const counted: Partial<Backend> = {
    matmul(out, A, B, size: MatmulSize, finish) {
      count({ bound: "flops", amount: 2 * size.m * size.n * size.k });
      backend.matmul(out, A, B, size, finish);
    },
    spmm(out, S: CsrBuffers, X, cols, accumulate) {
      count(gatherNeed(S.colIdx.length, cols, S.numCols));
      backend.spmm(out, S, X, cols, accumulate);
    },
    convolve(out, graph: Convolution, X, cols, scale, finish) {
      count(convolved(graph, cols));
      backend.convolve(out, graph, X, cols, scale, finish);
    },
    sddmm(out, pairs: PairBuffers, P, Q, cols, options: SddmmOptions = {}) {
      // Pairs are sorted, so the rows of their sources stay in a cache; those of their targets are gathered.
      count(gatherNeed(pairs.length * (options.symmetric ? 2 : 1), cols, pairs.numNodes));
      if (!options.accumulate) stream(4, pairs); // sources, targets, signs; the gradient, whose sum needs no memory
      backend.sddmm(out, pairs, P, Q, cols, options);
    },
    samplePairs(pairs, ...rest) {
      count({ bound: "words", amount: pairs.length });
      stream(3, pairs); // sources, targets, signs
      backend.samplePairs(pairs, ...rest);
    },
    resamplePairs(next, ...rest) {
      resampled += next.length;
      stream(4, next); // sources, targets, signs, weights
      backend.resamplePairs(next, ...rest);
    },
    activeMatrix(pairs, signs, weights, floor) {
      const matrix = backend.activeMatrix(pairs, signs, weights, floor);
      if (resampled > 0) {
        // Fresh pairs are at the floor, so what is active now was kept, and needed no random word.
        count({ bound: "words", amount: resampled - matrix.colIdx.length / (pairs.directed ? 1 : 2) });
        resampled = 0;
      }
      return matrix;
    },
    projectOntoBudget(out, x, budget, floor, ascent) {
      stream(4, x); // the gradient and the weights, then their sum, which is written before the shift is known and read after
      backend.projectOntoBudget(out, x, budget, floor, ascent);
    },
    topK(out, X) {
      stream(1, X);
      backend.topK(out, X);
    },
  };
  /** Kernels that not every backend has. */
  const optional: Partial<Backend> = {
    reluGradProduct(dX, dY, Y, W, size) {
      count({ bound: "flops", amount: 2 * size.m * size.n * size.k });
      backend.reluGradProduct!(dX, dY, Y, W, size);
    },
    productFinishGrad(dZ, dots, dV, W, Y, size, ...rest) {
      count({ bound: "flops", amount: 2 * size.m * size.n * size.k });
      backend.productFinishGrad!(dZ, dots, dV, W, Y, size, ...rest);
    },
    convolveRows(out, rows, graph, X, cols, scale, finish) {
      const need = convolved(graph, cols); // the entries of some rows are not known here: each is taken for an average one
      count({ ...need, amount: (need.amount * rows.length) / graph.A.numRows });
      backend.convolveRows!(out, rows, graph, X, cols, scale, finish);
    },
    convolveGrad(grads, graph, dZ, X, cols, scale) {
      count(convolved(graph, cols));
      backend.convolveGrad!(grads, graph, dZ, X, cols, scale);
    },
    pairTerms(out, pairs, terms, options = {}) {
      for (const { cols } of terms.products) count(gatherNeed(2 * pairs.length, cols, pairs.numNodes));
      if (!options.accumulate) stream(4, pairs);
      backend.pairTerms!(out, pairs, terms, options);
    },
  };
  const offered = Object.entries(optional).filter(([name]) => backend[name as keyof Backend]);
  const own = Object.getOwnPropertyDescriptors({ ...counted, ...Object.fromEntries(offered) });
  return { backend: Object.create(backend, own), needs };
}

/** Least seconds in which a machine with these ceilings can meet the needs. */
export function floorSeconds(needs: Needs, ceilings: Ceilings): number {
  const bounds = Object.keys(needs) as Need["bound"][];
  return bounds.reduce((seconds, bound) => seconds + needs[bound] / ceilings[bound], 0);
}

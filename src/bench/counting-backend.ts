import type { Backend, Convolution } from "../backend/backend.ts";
import { gatherNeed, type Need } from "./bench-case.ts";
import { NeedCounter, type Needs } from "./need-counter.ts";

/**
 * Wraps a backend to count what its kernels need. It counts what any implementation of the same steps must do, however
 * they are divided into kernels: the flops of matrix products; the rows that sparse and sampled products gather; and
 * for blocks of candidate pairs a random word per pair drawn, and every vector of the block written once and read once
 * per step.
 */
export function countingBackend(backend: Backend): { backend: Backend; needs: Needs } {
  const counter = new NeedCounter();
  const counted = {
    ...countedProducts(backend, counter),
    ...countedBlocks(backend, counter),
    ...countedFusions(backend, counter),
  };
  return { backend: Object.create(backend, Object.getOwnPropertyDescriptors(counted)), needs: counter.needs };
}

function countedProducts(backend: Backend, counter: NeedCounter): Partial<Backend> {
  return {
    matmul(out, A, B, size, finish) {
      counter.addProduct(size);
      backend.matmul(out, A, B, size, finish);
    },
    spmm(out, S, X, cols, accumulate) {
      counter.add(gatherNeed(S.colIdx.length, cols, S.numCols));
      backend.spmm(out, S, X, cols, accumulate);
    },
    convolve(args) {
      counter.add(convolutionNeed(backend, args.graph, args.cols));
      backend.convolve(args);
    },
    sddmm(args) {
      const { pairs, cols, symmetric = false, accumulate = false } = args;
      // Pairs are sorted: rows of sources stay in a cache, and only rows of targets count as gathered.
      counter.add(gatherNeed(pairs.length * (symmetric ? 2 : 1), cols, pairs.numNodes));
      if (!accumulate) counter.addVectors(4, pairs); // sources, targets, signs, and the gradient
      backend.sddmm(args);
    },
  };
}

function countedBlocks(backend: Backend, counter: NeedCounter): Partial<Backend> {
  let resampled = 0; // pairs of resampled blocks, until we know how many of them were kept
  return {
    samplePairs(pairs, draw, key, signs) {
      counter.add({ bound: "words", amount: pairs.length });
      counter.addVectors(3, pairs); // sources, targets, signs
      backend.samplePairs(pairs, draw, key, signs);
    },
    resamplePairs(args) {
      resampled += args.next.length;
      counter.addVectors(4, args.next); // sources, targets, signs, weights
      backend.resamplePairs(args);
    },
    activeMatrix(pairs, signs, weights, floor) {
      const matrix = backend.activeMatrix(pairs, signs, weights, floor);
      if (resampled > 0) {
        // Fresh pairs are at the floor, so active pairs were kept, and needed no random word.
        counter.add({ bound: "words", amount: resampled - matrix.colIdx.length / (pairs.directed ? 1 : 2) });
        resampled = 0;
      }
      return matrix;
    },
    projectOntoBudget(out, x, budget, floor, ascent) {
      counter.addVectors(4, x); // the gradient and the weights are read; their sum is written, then read when the shift is known
      backend.projectOntoBudget(out, x, budget, floor, ascent);
    },
    topK(out, X) {
      counter.addVectors(1, X);
      backend.topK(out, X);
    },
  };
}

/** Kernels that do the work of several simpler ones. */
function countedFusions(backend: Backend, counter: NeedCounter): Partial<Backend> {
  return {
    reluGradProduct(dX, dY, Y, W, size) {
      counter.addProduct(size);
      backend.reluGradProduct(dX, dY, Y, W, size);
    },
    productFinishGrad(args) {
      counter.addProduct(args.size);
      backend.productFinishGrad(args);
    },
    convolveRows(args) {
      const { rows, graph, cols } = args;
      const { bound, amount } = convolutionNeed(backend, graph, cols);
      counter.add({ bound, amount: (amount * rows.length) / graph.A.numRows }); // as if every row had the average number of entries
      backend.convolveRows(args);
    },
    convolveGrad(args) {
      counter.add(convolutionNeed(backend, args.graph, args.cols));
      backend.convolveGrad(args);
    },
    pairTerms(out, pairs, terms, options = {}) {
      for (const { cols } of terms.products) counter.add(gatherNeed(2 * pairs.length, cols, pairs.numNodes));
      if (!options.accumulate) counter.addVectors(4, pairs);
      backend.pairTerms(out, pairs, terms, options);
    },
  };
}

/** Active pairs count only on the CPU: on a GPU only the device knows how many there are. */
function convolutionNeed(backend: Backend, { A, B }: Convolution, cols: number): Need {
  const active = backend.name === "wasm" && B ? B.colIdx.length : 0;
  return gatherNeed(A.colIdx.length + active, cols, A.numCols);
}

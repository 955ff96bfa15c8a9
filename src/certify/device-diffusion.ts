import type { Backend, CsrBuffers } from "../backend/backend.ts";
import type { DiffusionOptions } from "../nn/diffusion/exact-diffusion.ts";
import { NormalisedTopK } from "../nn/diffusion/normalised-top-k.ts";
import type { TopKMatrix } from "../nn/diffusion/top-k-matrix.ts";
import { exactPageRank } from "../ppr/exact.ts";
import { empty, IntTensor, scope, Tensor } from "../tensor/index.ts";

/** The matrix of `exactDiffusion` for a graph that is on the device only, given as A + I. No gradient is ever asked of it. */
export function deviceDiffusion(backend: Backend, loops: CsrBuffers, { alpha, k }: DiffusionOptions): TopKMatrix {
  const n = loops.numRows;
  const width = Math.min(k, n);
  return scope(() => {
    const { matrix, degrees } = exactPageRank(backend, { numNodes: n, parts: [loops] }, { alpha });
    const pageRank = new Tensor(backend, matrix, [n, n]);
    new Tensor(backend, degrees, [n]); // freed with the scope
    const columns = new IntTensor(backend, backend.alloc("i32", n * width));
    const kept = empty(backend, [n, width]);
    backend.topKRows({ columns: columns.buffer, values: kept.buffer, X: pageRank.buffer, rows: n, cols: n, k: width });
    return new NormalisedTopK(columns, kept).matrix;
  });
}

import type { Backend, CsrBuffers, MatmulSize, PairBuffers, SddmmOptions } from "../backend/backend.ts";
import type { Need } from "./bench-case.ts";
import type { Ceilings } from "./ceilings.ts";

/** What the products of a run needed at least: multiply-adds, and bytes gathered from matrices that no cache holds. */
export interface Needs {
  flops: number;
  gather: number;
}

/** Matrices up to this size stay in a cache: then the arithmetic bounds a product with their rows, not the memory. */
export const CACHE_BYTES = 16 * 2 ** 20;

/** What a product of `rows` gathered rows of `cols` floats needs, out of a matrix of `numRows` rows. */
export function gatherNeed(rows: number, cols: number, numRows: number): Need {
  const inCache = 4 * numRows * cols < CACHE_BYTES;
  return inCache ? { bound: "flops", amount: 2 * rows * cols } : { bound: "gather", amount: 4 * rows * cols };
}

/** The backend, and what its matrix, sparse and sampled products have needed so far. */
export function countingBackend(backend: Backend): { backend: Backend; needs: Needs } {
  const needs: Needs = { flops: 0, gather: 0 };
  const count = ({ bound, amount }: Need) => {
    needs[bound as keyof Needs] += amount;
  };
  const counted: Partial<Backend> = {
    matmul(out, A, B, size: MatmulSize) {
      count({ bound: "flops", amount: 2 * size.m * size.n * size.k });
      backend.matmul(out, A, B, size);
    },
    spmm(out, S: CsrBuffers, X, cols, accumulate) {
      count(gatherNeed(S.colIdx.length, cols, S.numCols));
      backend.spmm(out, S, X, cols, accumulate);
    },
    sddmm(out, pairs: PairBuffers, P, Q, cols, options: SddmmOptions = {}) {
      // Pairs are sorted, so the rows of their sources stay in a cache; those of their targets are gathered.
      count(gatherNeed(pairs.length * (options.symmetric ? 2 : 1), cols, pairs.numNodes));
      backend.sddmm(out, pairs, P, Q, cols, options);
    },
  };
  return { backend: Object.create(backend, Object.getOwnPropertyDescriptors(counted)), needs };
}

/** Least seconds in which a machine with these ceilings can meet the needs. */
export function floorSeconds({ flops, gather }: Needs, ceilings: Ceilings): number {
  return flops / ceilings.flops + gather / ceilings.gather;
}

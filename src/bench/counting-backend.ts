import type { Backend, CsrBuffers, MatmulSize, PairBuffers, SddmmOptions } from "../backend/backend.ts";
import { gatherNeed, type Need } from "./bench-case.ts";
import type { Ceilings } from "./ceilings.ts";

/** What the products of a run needed at least: multiply-adds, and bytes gathered from memory and from caches. */
export interface Needs {
  flops: number;
  gather: number;
  cached: number;
}

/** The backend, and what its matrix, sparse and sampled products have needed so far. */
export function countingBackend(backend: Backend): { backend: Backend; needs: Needs } {
  const needs: Needs = { flops: 0, gather: 0, cached: 0 };
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
export function floorSeconds({ flops, gather, cached }: Needs, ceilings: Ceilings): number {
  return flops / ceilings.flops + gather / ceilings.gather + cached / ceilings.cached;
}

import type { Need } from "./bench-case.ts";
import type { Ceilings } from "./ceilings.ts";

/** The least that a run needs of each resource with a ceiling. */
export type Needs = Record<Need["bound"], number>;

/** Adds up the needs of kernels. */
export class NeedCounter {
  readonly needs: Needs = { flops: 0, gather: 0, shared: 0, cached: 0, stream: 0, words: 0 };

  add({ bound, amount }: Need): void {
    this.needs[bound] += amount;
  }

  /** A dense product [m, k]·[k, n]: m·n·k multiplications and as many additions. */
  addProduct({ m, n, k }: { readonly m: number; readonly n: number; readonly k: number }): void {
    this.add({ bound: "flops", amount: 2 * m * n * k });
  }

  /** Passes over vectors of a block, each of four bytes per element. */
  addVectors(vectors: number, { length }: { readonly length: number }): void {
    this.add({ bound: "stream", amount: 4 * vectors * length });
  }
}

/** Least seconds in which a machine with these ceilings can meet the needs. */
export function floorSeconds(needs: Needs, ceilings: Ceilings): number {
  const bounds = Object.keys(needs) as Need["bound"][];
  return bounds.reduce((seconds, bound) => seconds + needs[bound] / ceilings[bound], 0);
}

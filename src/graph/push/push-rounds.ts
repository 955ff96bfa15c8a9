import { check } from "../../core/errors.ts";
import type { Neighbours } from "./neighbours.ts";
import type { PushOptions, SparseRow } from "./push.ts";

/**
 * The number 1 in fixed point: residuals and estimates are whole numbers. All residuals together never exceed α, all
 * estimates stay below 1.
 */
const ONE = 2 ** 32;
/**
 * Least threshold of a node of degree 1. In each of dozens of rounds, rounding takes less than 1 from an entry; the
 * threshold must be far above that.
 */
const LEAST_UNIT = 256;

/** Whole numbers for α, 1 − α, and the threshold of a node of degree 1. */
export interface RoundConstants {
  readonly start: number;
  readonly keep: number;
  readonly unit: number;
}

/** Whether a tolerance is coarse enough for residuals of 32 bits. */
export function hasRounds(options: PushOptions): boolean {
  return unitOf(options) >= LEAST_UNIT;
}

export function roundConstants(options: PushOptions): RoundConstants {
  const { alpha, epsilon } = options;
  check(alpha > 0 && alpha < 1, () => `push: alpha must be between 0 and 1, got ${alpha}`);
  check(hasRounds(options), () => `push: epsilon ${epsilon} is too small for rounds in 32 bits; push on the host`);
  return { start: Math.floor(alpha * ONE), keep: Math.floor((1 - alpha) * ONE), unit: unitOf(options) };
}

/** A node of this degree is pushed as soon as its residual reaches this. */
export function roundThreshold({ unit }: RoundConstants, degree: number): number {
  return Math.min(unit * degree, ONE - 1); // no residual gets this large
}

/**
 * Row `source` of personalised PageRank by push, as a GPU computes it: each round pushes all nodes at or above their
 * thresholds at once. Residuals are whole numbers, so the order of additions does not matter; shares are rounded down.
 * No entry is above the exact one. On undirected graphs it is below by less than (ε + rounds / (α·2^32))·degree, and
 * 2^−24 of itself. Estimates differ from those of `push`, which takes nodes from a stack, but are as close to the exact
 * values.
 *
 * The slow definition: kernels return the same bits.
 */
export function pushRounds(source: number, graph: Neighbours, options: PushOptions): SparseRow {
  const constants = roundConstants(options);
  const residual = new Map([[source, constants.start]]);
  const estimate = new Map<number, number>();
  let frontier = [source];
  while (frontier.length > 0) {
    const next = new Set<number>();
    for (const [v, rho] of takeResiduals(residual, frontier)) {
      estimate.set(v, (estimate.get(v) ?? 0) + rho);
      const share = Math.floor(upperHalf(rho, constants.keep) / graph.degree(v));
      for (const w of Array.from(graph.neighbours(v))) {
        const received = (residual.get(w) ?? 0) + share;
        residual.set(w, received);
        if (received >= roundThreshold(constants, graph.degree(w))) next.add(w);
      }
    }
    frontier = [...next];
  }
  return { columns: [...estimate.keys()], values: Array.from(estimate.values(), (x) => leadingBits(x) / ONE) };
}

/** Takes the residuals of all nodes in the frontier before any of them is pushed. */
function takeResiduals(residual: Map<number, number>, frontier: readonly number[]): [node: number, residual: number][] {
  const taken = frontier.map((v): [number, number] => [v, residual.get(v)!]);
  for (const v of frontier) residual.delete(v);
  return taken;
}

function unitOf({ alpha, epsilon }: PushOptions): number {
  return Math.floor(alpha * epsilon * ONE);
}

/** Rounds down to the 24 bits of a float, because devices differ in how they round whole numbers to floats. */
function leadingBits(x: number): number {
  const extra = 2 ** Math.max(8 - Math.clz32(x), 0);
  return Math.floor(x / extra) * extra;
}

/** The upper 32 of the 64 bits of a product. */
function upperHalf(a: number, b: number): number {
  return Number((BigInt(a) * BigInt(b)) >> 32n);
}

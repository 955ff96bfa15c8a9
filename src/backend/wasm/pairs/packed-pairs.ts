import type { PairBuffers } from "../../backend.ts";
import { roundUp } from "../engine/allocator.ts";
import { type Engine, rowGrain } from "../engine/engine.ts";

/** Packing pays from this many pairs per node on, if a cache holds the packed rows: up to this many bytes. */
const REUSE = 16;
const CACHE_BYTES = 2 ** 25;
/** Bytes of packed rows that stay in the second cache of a core. */
const BLOCK_BYTES = 2 ** 17;
/** Pairs that a source should have within a block of targets: shorter runs cost more than the cache saves. */
const LONG_RUN = 12;
/** Pairs per chunk: at most so many that their runs fit into the scratch space of a thread. */
const MAX_PAIRS = 2 ** 15;
const MIN_PAIRS = 2 ** 13;

/** Addresses of the factors of a symmetric product: P and Q with `cols` columns, or a vector x for P = x and Q = 1. */
export type PackedFactor = { readonly p: number; readonly q: number; readonly cols: number } | { readonly x: number };

/** Whether symmetric products are faster if the rows of all factors are packed side by side first. */
export function worthPacking({ length, numNodes }: PairBuffers, cols: number): boolean {
  return length >= REUSE * numNodes && numNodes * rowBytes(cols) <= CACHE_BYTES;
}

/** Symmetric products of pairs. */
interface PackedProducts {
  readonly pairs: PairBuffers;
  /** Address of one float per pair. */
  readonly out: number;
  readonly factors: readonly PackedFactor[];
  /** Address of a sign per pair, or 0. */
  readonly signs: number;
  readonly accumulate: boolean;
}

/** out_e = sign_e·(Σ ⟨P_i, Q_j⟩ + ⟨Q_i, P_j⟩ (+ out_e)) over all factors. */
export function sddmmPacked(engine: Engine, { pairs, out, factors, signs, accumulate }: PackedProducts): void {
  const { numNodes, length } = pairs;
  const { sources, targets } = engine.pairs("sddmm", pairs);
  const stride = rowBytes(numColumns(factors));
  const bytes = numNodes * stride;
  engine.borrow("f32", bytes / 4, (_, packed) => {
    pack(engine, packed, numNodes, stride, factors);
    const pairsPerTarget = (2 * length) / numNodes ** 2; // share of all possible pairs that are in the block
    const step = Math.ceil(Math.max(BLOCK_BYTES / stride, LONG_RUN / pairsPerTarget));
    // A chunk reads all packed rows. With this many pairs that is 64 bytes per pair.
    const grain = roundUp(Math.min(Math.max(bytes / 64, MIN_PAIRS), MAX_PAIRS), 4);
    const rows = [packed, numNodes, stride / 2, step];
    engine.run("sddmmPacked", length, grain, out, sources, targets, ...rows, signs, Number(accumulate));
  });
}

export function numColumns(factors: readonly PackedFactor[]): number {
  return factors.reduce((sum, factor) => sum + ("x" in factor ? 1 : factor.cols), 0);
}

/** Writes rows of P to the first half of packed rows, and rows of Q to the second. */
function pack(engine: Engine, packed: number, rows: number, stride: number, factors: readonly PackedFactor[]): void {
  const half = stride / 2;
  const parts: number[] = []; // as in `assembly/pairs/packed-pairs.ts`
  let at = 0;
  const add = (p: number, q: number, cols: number, value: number) => {
    parts.push(p, cols, at, value, q, cols, at + half, value);
    at += 4 * cols;
  };
  for (const factor of factors) {
    if ("x" in factor) add(factor.x, 0, 1, 1);
    else add(factor.p, factor.q, factor.cols, 0);
  }
  add(0, 0, (half - at) / 4, 0); // padding
  const list = engine.heap.upload(Int32Array.from(parts));
  engine.run("packRows", rows, rowGrain(half / 4), packed, stride, list.address, parts.length / 4);
  engine.heap.free(list);
}

/** Bytes of a packed row: a row of P and one of Q, each padded to whole vectors. */
function rowBytes(cols: number): number {
  return 2 * 4 * roundUp(cols, 4);
}

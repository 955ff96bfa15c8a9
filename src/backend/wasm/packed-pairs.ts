import type { PairBuffers } from "../backend.ts";
import { roundUp } from "./allocator.ts";
import { type Engine, rowGrain } from "./engine.ts";

/** Packing pays if every row is used this often, and if a cache holds the packed rows. */
const REUSE = 16;
const CACHE_BYTES = 2 ** 25;
/** Bytes of packed rows that stay in the second cache of a core. */
const BLOCK_BYTES = 2 ** 17;
/** Pairs of one source within a block of targets from which on it pays to visit targets block by block. */
const LONG_RUN = 8;
/** Pairs per chunk: at most as many as the scratch space of a thread holds runs of. */
const MAX_PAIRS = 2 ** 16;
const MIN_PAIRS = 2 ** 13;

/** True where the rows of both factors are better packed side by side before their symmetric products are taken. */
export function worthPacking({ length, numNodes }: PairBuffers, cols: number): boolean {
  return length >= REUSE * numNodes && numNodes * rowBytes(cols) <= CACHE_BYTES;
}

/** out_e (+)= ⟨P_i, Q_j⟩ + ⟨Q_i, P_j⟩ for addresses of `out`, P and Q. */
export function sddmmPacked(
  engine: Engine,
  pairs: PairBuffers,
  out: number,
  p: number,
  q: number,
  cols: number,
  accumulate: boolean,
): void {
  const { numNodes, length } = pairs;
  const { sources, targets } = engine.pairs("sddmm", pairs);
  const half = rowBytes(cols) / 2;
  const bytes = numNodes * rowBytes(cols);
  engine.borrow("f32", bytes / 4, (_, packed) => {
    engine.run("packPairs", numNodes, rowGrain(2 * cols), packed, p, q, cols, half);
    const block = Math.max(1, Math.floor(BLOCK_BYTES / rowBytes(cols)));
    const step = (length / numNodes) * (block / numNodes) < LONG_RUN ? numNodes : block;
    // A chunk reads all packed rows: so many pairs that this costs 64 bytes per pair.
    const grain = roundUp(Math.min(Math.max(bytes / 64, MIN_PAIRS), MAX_PAIRS), 4);
    engine.run("sddmmPacked", length, grain, out, sources, targets, packed, numNodes, half, step, Number(accumulate));
  });
}

/** Bytes of a packed row: two rows padded to whole vectors. */
function rowBytes(cols: number): number {
  return 2 * 4 * roundUp(cols, 4);
}

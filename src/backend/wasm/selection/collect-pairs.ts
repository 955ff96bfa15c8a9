import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { largest, type Threshold, withPlan } from "./selection.ts";

/** Addresses of a block of pairs; `signs` is 0 if there are none. */
interface BlockAddresses {
  readonly sources: number;
  readonly targets: number;
  readonly weights: number;
  readonly signs: number;
  readonly length: number;
}

/**
 * Pairs that were selected: lists of `count` sources, targets and weights one behind the other, as
 * `assembly/pairs/pair-lists.ts` reads them.
 */
export interface CollectedPairs {
  readonly count: number;
  /** Belongs to the caller. */
  readonly list: WasmBuffer;
}

/** The pairs above the floor, or the `most` heaviest of them, in order; weights are times signs if there are any. */
export function collectPairs(
  engine: Engine,
  block: BlockAddresses,
  floor: number,
  most = block.length,
): CollectedPairs {
  const weights = { address: block.weights, length: block.length };
  const aboveFloor = collect(engine, block, { value: Math.fround(floor), ties: 0 }, most);
  return aboveFloor ?? collect(engine, block, largest(engine, weights, most), most)!;
}

/** The pairs that the threshold selects, or null if there are more than `most`. */
function collect(
  engine: Engine,
  { sources, targets, weights, signs, length }: BlockAddresses,
  threshold: Threshold,
  most: number,
): CollectedPairs | null {
  return withPlan(engine, { address: weights, length }, threshold, ({ address, chunks, total }) => {
    if (total > most) return null;
    const list = engine.heap.alloc("i32", 3 * total);
    const selected = [list.address, total, address, weights, length, threshold.value];
    engine.run("collectPairs", chunks, 1, ...selected, sources, targets, signs);
    return { count: total, list };
  });
}

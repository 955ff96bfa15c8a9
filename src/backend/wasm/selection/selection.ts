import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";

/** As in `assembly/selection/selection.ts`. */
const CHUNK = 16_384;
const RUN = 64;
/** Words of a histogram of 12 bits. */
export const HISTOGRAM = 4096;

/** Which elements to select: those above `value`, and the first `ties` of those equal to it. */
export interface Threshold {
  readonly value: number;
  readonly ties: number;
}

/**
 * The selected positions of `length` floats at `x`, ascending, in a buffer that belongs to the caller: chunks are
 * counted, the counts summed in order, and each chunk then writes to its own place.
 */
export function positionsAbove(engine: Engine, x: number, length: number, threshold: Threshold): WasmBuffer {
  return planned(engine, x, length, threshold, (plan, total) => {
    const positions = engine.heap.alloc("i32", total);
    const where = [positions.address, plan, x, length, threshold.value, total];
    engine.run("writeAbove", Math.ceil(length / CHUNK), 1, ...where);
    return positions;
  });
}

/** Addresses of a block of pairs; no signs are 0. */
interface BlockAddresses {
  readonly sources: number;
  readonly targets: number;
  readonly weights: number;
  readonly signs: number;
  readonly length: number;
}

/** Pairs that were selected, one list behind the other in `buffer`; weights are times signs where there were some. */
export interface Collected {
  readonly count: number;
  readonly sources: number;
  readonly targets: number;
  readonly weights: number;
  readonly buffer: WasmBuffer;
}

/** The pairs above the floor in their order, at most the `most` heaviest; the buffer belongs to the caller. */
export function collectPairs(engine: Engine, block: BlockAddresses, floor: number, most = block.length): Collected {
  const { sources, targets, weights, signs, length } = block;
  const collect = (threshold: Threshold): Collected | null =>
    planned(engine, weights, length, threshold, (plan, count) => {
      if (count > most) return null;
      const buffer = engine.heap.alloc("i32", 3 * count);
      const to = [buffer.address, buffer.address + 4 * count, buffer.address + 8 * count] as const;
      const from = [plan, weights, length, threshold.value, count, sources, targets, signs];
      engine.run("collectPairs", Math.ceil(length / CHUNK), 1, ...to, ...from);
      return { count, sources: to[0], targets: to[1], weights: to[2], buffer };
    });
  return collect({ value: Math.fround(floor), ties: 0 }) ?? collect(largest(engine, weights, length, most))!;
}

/** Hands the place of every chunk among the selected elements, and their number, to `use`. */
function planned<T>(
  engine: Engine,
  x: number,
  length: number,
  { value, ties }: Threshold,
  use: (plan: number, total: number) => T,
): T {
  const chunks = Math.ceil(length / CHUNK);
  return engine.borrow("i32", 2 * chunks, (buffer, plan) => {
    engine.run("countAbove", chunks, 1, plan, x, length, value);
    return use(plan, planPlaces(engine.heap.values(buffer) as Int32Array, ties));
  });
}

/** Turns [above, equal] of each chunk into [place, equal ones to take]; returns the number of places. */
function planPlaces(plan: Int32Array, ties: number): number {
  let place = 0;
  for (let c = 0; c < plan.length; c += 2) {
    const above = plan[c];
    const equal = Math.min(plan[c + 1], ties);
    plan[c] = place;
    plan[c + 1] = equal;
    place += above + equal;
    ties -= equal;
  }
  return place;
}

/** The values that are at least `threshold`, in order, in a buffer that belongs to the caller. */
export function valuesFrom(engine: Engine, x: number, length: number, threshold: number): WasmBuffer {
  return planned(engine, x, length, { value: threshold, ties: Number.POSITIVE_INFINITY }, (plan, total) => {
    const values = engine.heap.alloc("f32", total);
    engine.run("valuesFrom", Math.ceil(length / CHUNK), 1, values.address, plan, x, length, threshold, total);
    return values;
  });
}

/** How to select exactly the `k` largest, the lower index on ties. */
export function largest(engine: Engine, x: number, length: number, k: number): Threshold {
  if (k === 0) return { value: Number.POSITIVE_INFINITY, ties: 0 };
  const value = kthLargest(engine, x, length, k);
  return { value, ties: k - countAbove(engine, x, length, value) };
}

function kthLargest(engine: Engine, x: number, length: number, k: number): number {
  return engine.borrow("i32", HISTOGRAM, (_, histogram) => engine.call("kthLargest", x, length, k, histogram));
}

/**
 * Ascending positions, those of the `k` largest among them, if there is a short way to them: k runs have a maximum of at least
 * the k-th largest maximum, so that nothing below it need be looked at. Null where k is large or too many are equal.
 */
function nearTop(engine: Engine, x: number, length: number, k: number): WasmBuffer | null {
  const runs = Math.ceil(length / RUN);
  if (k > runs / 4) return null;
  return engine.borrow("f32", runs, (_, maxima) => {
    engine.run("runMaxima", runs, CHUNK / RUN, maxima, x, length);
    const value = kthLargest(engine, maxima, runs, k);
    const chosen = positionsAbove(engine, maxima, runs, { value, ties: Number.POSITIVE_INFINITY });
    try {
      if (chosen.length > runs / 4) return null;
      return engine.borrow("i32", RUN * chosen.length, (_, room) => {
        const count = engine.call("positionsInRuns", room, chosen.address, chosen.length, x, length, value);
        const positions = engine.heap.alloc("i32", count);
        engine.run("copy", count, count, positions.address, room);
        return positions;
      });
    } finally {
      engine.heap.free(chosen);
    }
  });
}

/** Number of elements above `value`. */
function countAbove(engine: Engine, x: number, length: number, value: number): number {
  return planned(engine, x, length, { value, ties: 0 }, (_, total) => total);
}

export function selection(engine: Engine): Pick<Backend, "topK"> {
  return {
    topK(out, X) {
      const y = engine.ints("topK", "out", out);
      const x = engine.floats("topK", "X", X);
      const k = out.length;
      check(k <= X.length, () => `topK: ${k} of ${X.length} values asked for`, ShapeError);
      if (k === 0) return;
      const positions =
        nearTop(engine, x, X.length, k) ?? positionsAbove(engine, x, X.length, largest(engine, x, X.length, k));
      const { address, length } = positions;
      engine.borrow("i32", 4 * length + HISTOGRAM, (_, work) => {
        engine.call("sortByValue", address, length, x, work, work + 16 * length);
      });
      engine.run("copy", k, k, y, address);
      engine.heap.free(positions);
    },
  };
}

import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { CHUNK, type Floats, HISTOGRAM, kthLargest, largest, positionsAbove } from "./selection.ts";

/** Values per run, as in `assembly/selection/selection.ts`. */
const RUN = 64;

export function topK(engine: Engine): Pick<Backend, "topK"> {
  return {
    topK(out, X) {
      const y = engine.ints("topK", "out", out);
      const x = { address: engine.floats("topK", "X", X), length: X.length };
      const k = out.length;
      check(k <= X.length, () => `topK: ${k} of ${X.length} values asked for`, ShapeError);
      if (k === 0) return;
      const positions = positionsNearTop(engine, x, k) ?? positionsAbove(engine, x, largest(engine, x, k));
      const { address, length } = positions;
      engine.borrow("i32", 4 * length + HISTOGRAM, (_, work) => {
        engine.call("sortByValue", address, length, x.address, work, work + 16 * length);
      });
      engine.run("copy", k, k, y, address);
      engine.heap.free(positions);
    },
  };
}

/**
 * Ascending positions of all values that can be among the `k` largest, or null if k is large or too many values are
 * equal. k runs have a maximum that reaches the k-th largest run maximum, so no smaller value is among the k largest.
 */
function positionsNearTop(engine: Engine, x: Floats, k: number): WasmBuffer | null {
  const runs = Math.ceil(x.length / RUN);
  if (k > runs / 4) return null;
  return engine.borrow("f32", runs, (maxima) => {
    engine.run("runMaxima", runs, CHUNK / RUN, maxima.address, x.address, x.length);
    const value = kthLargest(engine, maxima, k);
    const chosen = positionsAbove(engine, maxima, { value, ties: Number.POSITIVE_INFINITY });
    try {
      return chosen.length > runs / 4 ? null : positionsInRuns(engine, x, chosen, value);
    } finally {
      engine.heap.free(chosen);
    }
  });
}

/** Ascending positions of the values that are at least `threshold` in some runs. */
function positionsInRuns(engine: Engine, x: Floats, runs: Floats, threshold: number): WasmBuffer {
  return engine.borrow("i32", RUN * runs.length, (_, room) => {
    const count = engine.call("positionsInRuns", room, runs.address, runs.length, x.address, x.length, threshold);
    const positions = engine.heap.alloc("i32", count);
    engine.run("copy", count, count, positions.address, room);
    return positions;
  });
}

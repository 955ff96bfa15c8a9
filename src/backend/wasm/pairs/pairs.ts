import type { Engine } from "../engine/engine.ts";
import { activeMatrix } from "./active-matrix.ts";
import { addLargest } from "./add-largest.ts";
import { pairSigns } from "./pair-signs.ts";
import { resamplePairs, samplePairs } from "./sample-pairs.ts";

/** Blocks of candidate pairs. */
export function pairs(engine: Engine) {
  return {
    samplePairs: samplePairs(engine),
    resamplePairs: resamplePairs(engine),
    pairSigns: pairSigns(engine),
    activeMatrix: activeMatrix(engine),
    addLargest: addLargest(engine),
  };
}

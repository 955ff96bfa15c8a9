import type { Backend } from "../../backend.ts";
import { checkLargerBlock } from "../../compose/check-larger-block.ts";
import type { Gpu } from "../device/gpu.ts";
import { SELECT_STATE, select } from "../selection/select.ts";

/** Finds the pairs of `made` in `from` and lowers their values, then merges the largest others with `made`. */
export function addLargest(gpu: Gpu): Backend["addLargest"] {
  return (args) => {
    const name = "addLargest";
    const { next, made, from, mark } = args;
    const count = checkLargerBlock(args);
    const to = gpu.pairs(name, next);
    const old = gpu.pairs(name, made);
    const offered = gpu.pairs(name, from);
    const values = gpu.floats(name, "values", args.values, from.length);
    const marks = gpu.ints(name, "marks", args.marks, made.length);
    const nextMarks = gpu.ints(name, "nextMarks", args.nextMarks, next.length);
    if (next.length === 0) return;
    const columns = {
      madeSources: old.sources,
      madeTargets: old.targets,
      fromSources: offered.sources,
      fromTargets: offered.targets,
    };
    gpu.launch({
      shader: "strike-out-pairs",
      bind: { values, ...columns },
      params: { numMade: made.length, numFrom: from.length },
      threads: made.length,
    });
    gpu.borrow({ state: { i32: SELECT_STATE }, positions: { i32: count } }, ({ state, positions }) => {
      if (count > 0) select(gpu, state, positions, values, { length: from.length, floor: null, limit: count });
      gpu.launch({
        shader: "merge-pairs",
        bind: { ...to, nextMarks, marks, positions, ...columns },
        params: { numMade: made.length, count, mark },
        threads: next.length,
      });
    });
  };
}

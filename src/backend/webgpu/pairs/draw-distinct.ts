import type { Key } from "../../../core/philox.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { sortSize, sortU64 } from "../selection/sort-u64.ts";
import { clear } from "../shared/clear.ts";

/** Rounds of draws by the whole grid, before one workgroup draws the few numbers that are still missing. */
const ROUNDS = 8;
/** Most workgroups of later rounds, in which few numbers are missing. */
const LATER_GROUPS = 64;

/** Writes a sorted list of distinct draws into `ranks`: as many as the plan says, which is at most `most`. */
export function drawDistinct(gpu: Gpu, ranks: GpuBuffer, plan: GpuBuffer, most: number, key: Key): void {
  const size = sortSize(most);
  const slots = 2 * size;
  gpu.borrow({ table: { i32: slots }, progress: { i32: 4 } }, ({ table, progress }) => {
    const step = (entry: string, groups: number) => {
      gpu.launch({
        shader: "draw-distinct",
        entry,
        bind: { table, progress, plan, ranks },
        params: { size, mask: slots - 1, keyLow: key.lo, keyHigh: key.hi },
        groups,
      });
    };
    clear(gpu, table, slots);
    step("begin", 1);
    for (let round = 0; round < ROUNDS; round++) {
      const groups = Math.ceil(most / WORKGROUP);
      step("round", round === 0 ? groups : Math.min(groups, LATER_GROUPS));
      step("advance", 1);
    }
    step("finish", 1);
    step("pad", size / WORKGROUP);
    step("list", slots / WORKGROUP);
    sortU64(gpu, ranks, size);
  });
}

import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** As in `select.wgsl`. */
const CHUNK = 2048;
const BUCKETS = 2048;
const STAGES = 3;
/** Words of the state that a selection leaves; word 0 is the number of selected elements. */
export const SELECT_STATE = 8;

/** What to select of `length` values: those above `floor`, at most the `limit` largest; null: no floor. */
export interface Selection {
  readonly length: number;
  readonly floor: number | null;
  readonly limit: number;
}

/** Writes the positions of the selected elements in ascending order, and their number into word 0 of `state`. */
export function select(gpu: Gpu, state: GpuBuffer, positions: GpuBuffer, X: GpuBuffer, what: Selection): void {
  const { length, floor, limit } = what;
  const numChunks = Math.ceil(length / CHUNK);
  const ALL = Number(floor === null);
  const scratch = { counts: { i32: Math.max(2, 2 * numChunks) }, buckets: { i32: STAGES * BUCKETS } };
  gpu.borrow(scratch, ({ counts, buckets }) => {
    const step = (entry: string, stage: number, groups = numChunks) => {
      gpu.launch({
        shader: "select",
        entry,
        constants: { ALL },
        bind: { state, counts, buckets, X, positions },
        params: { length, floor: floor ?? 0, limit, numChunks, stage },
        groups,
      });
    };
    if (floor === null) step("clear", 0, 1);
    else step("count", 0);
    for (let stage = 0; stage < STAGES; stage++) step("histogram", stage);
    step("count", 1);
    step("write", 0);
  });
}

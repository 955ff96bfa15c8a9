import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import { type Ceilings, highest, typical } from "./ceilings.ts";
import type { EpochTimes } from "./epoch-timer.ts";
import { floorSeconds } from "./need-counter.ts";

/** Seconds per epoch, compared with the floor of its kernels. */
export interface EpochResult {
  readonly shape: string;
  readonly what: string;
  /** Seconds of the median epoch. */
  readonly secondsPerEpoch: number;
  /** Least seconds of that epoch, by the median ceilings. */
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
  /** The same ratio for the shortest epoch and the highest ceilings: without disturbance by other load. */
  readonly bestRatio: number;
  readonly peakBytes: number;
  /** Shows that the run did its work, such as the accuracy it reached. */
  readonly check: string;
  /** Kernels of one epoch by the device's own clock, the longest first; missing if it has none. */
  readonly kernels?: readonly KernelTime[];
}

export interface EpochReport {
  readonly device: string;
  /** For each result, the median of the ceilings measured among its epochs. */
  readonly ceilings: readonly Ceilings[];
  readonly epochs: EpochResult[];
}

/**
 * Compares epochs with their floors: the median epoch with the median ceilings of the same period, so that other load
 * on the machine affects both equally, and the best epoch with the highest ceilings.
 */
export function againstFloor({ median, best, ceilings }: EpochTimes) {
  const floor = floorSeconds(median.needs, typical(ceilings));
  const bestFloor = floorSeconds(best.needs, highest(ceilings));
  return {
    secondsPerEpoch: median.seconds,
    floor,
    ratio: floor / median.seconds,
    bestRatio: bestFloor / best.seconds,
  };
}

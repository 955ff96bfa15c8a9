import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import { type Ceilings, highest, typical } from "./ceilings.ts";
import type { EpochTimes } from "./epoch-timer.ts";
import { floorSeconds } from "./need-counter.ts";

/** Seconds per epoch beside the least that its products take. */
export interface EpochResult {
  readonly shape: string;
  readonly what: string;
  /** Of the median epoch. */
  readonly secondsPerEpoch: number;
  /** What that epoch needs at least. */
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
  /** The same of the shortest epoch, by the highest ceilings: what is left when nothing else disturbs. */
  readonly bestRatio: number;
  readonly peakBytes: number;
  /** What shows that the run did its work. */
  readonly check: string;
  /** Kernels of one epoch by the device's own clock, the longest first, where it has one. */
  readonly kernels?: readonly KernelTime[];
}

export interface EpochReport {
  readonly device: string;
  /** The median of those measured among the epochs of each result. */
  readonly ceilings: readonly Ceilings[];
  readonly epochs: EpochResult[];
}

/**
 * Epochs beside what they need at least: the median epoch by the median ceilings of the same stretch of time, so that what disturbs the
 * machine meets both alike, and the best epoch by the highest.
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

import type { KernelTime } from "../backend/webgpu/kernel-times.ts";
import { between, type Ceilings, higher } from "./ceilings.ts";
import { floorSeconds } from "./counting-backend.ts";
import type { TimedEpoch } from "./epoch-timer.ts";

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
  /** Measured before, between and after what was timed. */
  readonly ceilings: readonly Ceilings[];
  readonly epochs: EpochResult[];
}

/**
 * Epochs beside what they need at least, by ceilings measured before and after them: the median epoch by what lies between
 * the two, the best one by the higher.
 */
export function againstFloor(
  { median, best }: { median: TimedEpoch; best: TimedEpoch },
  before: Ceilings,
  after: Ceilings = before,
) {
  const floor = floorSeconds(median.needs, between(before, after));
  const bestFloor = floorSeconds(best.needs, higher(before, after));
  return {
    ...{ secondsPerEpoch: median.seconds, floor, ratio: floor / median.seconds },
    bestRatio: bestFloor / best.seconds,
  };
}

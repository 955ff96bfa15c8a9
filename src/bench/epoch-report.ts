import type { KernelTime } from "../backend/webgpu/kernel-times.ts";
import type { Ceilings } from "./ceilings.ts";
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
  /** The same of the shortest epoch: ceilings, too, are what was reached in the best of several runs. */
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

/** Epochs beside what they need at least on a machine with these ceilings. */
export function againstFloor({ median, best }: { median: TimedEpoch; best: TimedEpoch }, ceilings: Ceilings) {
  const [floor, bestFloor] = [floorSeconds(median.needs, ceilings), floorSeconds(best.needs, ceilings)];
  return {
    ...{ secondsPerEpoch: median.seconds, floor, ratio: floor / median.seconds },
    bestRatio: bestFloor / best.seconds,
  };
}

import type { KernelTime } from "../backend/webgpu/kernel-times.ts";
import type { Ceilings } from "./ceilings.ts";

/** Seconds per epoch beside the least that its products take. */
export interface EpochResult {
  readonly shape: string;
  readonly what: string;
  readonly secondsPerEpoch: number;
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
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

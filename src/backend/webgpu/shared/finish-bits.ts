import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** What is done to a sum before it is stored. */
export interface Finish {
  /** Adds the values that the output already has. */
  readonly accumulate?: boolean;
  readonly bias: GpuBuffer | null;
  readonly relu: boolean;
}

/** Bits as in `finish-flags.wgsl`: a parameter rather than constants, because each variant takes long to compile. */
export function finishBits({ accumulate = false, bias, relu }: Finish): number {
  return Number(accumulate) + 2 * Number(bias !== null) + 4 * Number(relu);
}

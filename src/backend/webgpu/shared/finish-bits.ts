import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** What happens to a sum before it is stored. */
export interface Finish {
  /** Adds it to what is there already. */
  readonly accumulate?: boolean;
  readonly bias: GpuBuffer | null;
  readonly relu: boolean;
}

/** The same as in `finish-flags.wgsl`: a parameter, because variants take long to compile. */
export function finishBits({ accumulate = false, bias, relu }: Finish): number {
  return Number(accumulate) + 2 * Number(bias !== null) + 4 * Number(relu);
}

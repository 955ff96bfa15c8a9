import type { Backend, DerivedKernels, Device } from "../backend.ts";
import * as convolution from "./convolution.ts";
import * as cpuOnly from "./cpu-only.ts";
import * as finish from "./finish.ts";
import { openTrials } from "./flip-trials.ts";
import * as margins from "./margins.ts";
import { pageRank } from "./page-rank.ts";
import { pairTerms } from "./pair-terms.ts";
import { pushRows } from "./push-rows.ts";
import { softMedianSteps } from "./soft-median.ts";
import { spmmTransposed } from "./spmm-transposed.ts";

/** How each derived kernel is composed from others. */
const COMPOSED: { readonly [Name in keyof DerivedKernels]: (parts: Backend) => DerivedKernels[Name] } = {
  ...convolution,
  ...finish,
  ...margins,
  ...cpuOnly,
  openTrials,
  pageRank,
  pairTerms,
  pushRows,
  softMedianSteps,
  spmmTransposed,
  moveIf: (parts) => (moves, chosen) => parts.copyIf(moves, chosen),
  factorsPerPair: () => 0,
};

/** Which kernels a backend uses. */
export interface KernelOptions {
  /**
   * False composes every derived kernel from the core ones, even if the device has a fused one. Results are the same up
   * to rounding. Tests compare the two; use it to find out whether a bug is in a fused kernel.
   */
  readonly fused?: boolean;
}

/**
 * The complete backend of a device: its own kernels, and a composed one for each derived kernel that it lacks.
 *
 * @example
 * const counts = new Map<string, number>();
 * const device = createReference();
 * const counting: Device = {
 *   ...device,
 *   matmul(...args) {
 *     counts.set("matmul", (counts.get("matmul") ?? 0) + 1);
 *     device.matmul(...args);
 *   },
 * };
 * const view = toDevice(complete(counting), graph);
 */
export function complete(device: Device, { fused = true }: KernelOptions = {}): Backend {
  const backend = { ...device } as Record<string, unknown>;
  for (const [name, compose] of Object.entries(COMPOSED)) {
    const isOwn = fused && backend[name] !== undefined;
    if (!isOwn) backend[name] = compose(backend as unknown as Backend);
  }
  return backend as unknown as Backend;
}

import type { Backend, NoisyGraphKernels } from "../backend/backend.ts";

/** Noisy graphs that are diffused together: kernels for them, how many there are at most, and of how many nodes. */
export interface DrawnGraphs {
  readonly backend: Backend;
  readonly kernels: NoisyGraphKernels;
  readonly graphs: number;
  readonly numNodes: number;
}

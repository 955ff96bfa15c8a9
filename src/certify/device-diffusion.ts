import type { CsrBuffers } from "../backend/backend.ts";
import type { DiffusionOptions } from "../nn/diffusion/exact-diffusion.ts";
import type { PushRowsOptions } from "../ppr/push-rows.ts";
import type { SparseMatrix } from "../tensor/index.ts";
import type { DrawnGraphs } from "./drawn-graphs.ts";
import { ExactDeviceDiffusion } from "./exact-device-diffusion.ts";
import { PushDeviceDiffusion } from "./push-device-diffusion.ts";

/** Most entries that are kept of all graphs at once, 64 MiB: as many rows as fill a large GPU. */
const MOST_KEPT = 2 ** 24;

/** Which PageRank diffuses a graph, as models ask for it: exact, or by push. */
export type DeviceDiffusionOptions =
  | ({ readonly method: "exact" } & DiffusionOptions)
  | ({ readonly method: "push" } & PushRowsOptions);

/** Makes the propagation matrix of GDC for noisy graphs that are on the device only, as one matrix with a block for each. */
export interface DeviceDiffusion {
  /** The matrix of the first `graphs` graphs in `loops`, which is A + I. Overwrites the last matrix. */
  of(loops: CsrBuffers, graphs: number): SparseMatrix;
  dispose(): void;
}

/** The diffusion by `options.method`; throws `NeedsHost` if the device does not push such rows. */
export function deviceDiffusion(drawn: DrawnGraphs, options: DeviceDiffusionOptions): DeviceDiffusion {
  return options.method === "push" ? new PushDeviceDiffusion(drawn, options) : new ExactDeviceDiffusion(drawn, options);
}

/** How many graphs can be diffused side by side; one if its PageRank is a dense matrix. */
export function mostDiffused({ kernels, numNodes }: DrawnGraphs, options: DeviceDiffusionOptions): number {
  const { method, alpha, k } = options;
  const width = Math.min(k, numNodes);
  const keepsDiagonal = k * alpha >= 1; // else models demand k ≥ numNodes, the nodes of all graphs together
  const isDense = method === "exact" && !kernels.holdsPageRank({ graphs: 1, numNodes, k: width });
  if (!keepsDiagonal || isDense) return 1;
  return Math.max(1, Math.floor(MOST_KEPT / (numNodes * width)));
}

import type { DenseProducts } from "./contract/dense-products.ts";
import type { DerivedKernels } from "./contract/derived.ts";
import type { Elementwise } from "./contract/elementwise.ts";
import type { NoisyGraphKernels } from "./contract/noisy-graphs.ts";
import type { PairBlocks } from "./contract/pair-blocks.ts";
import type { Reductions } from "./contract/reductions.ts";
import type { RobustAggregation } from "./contract/robust.ts";
import type { Rows } from "./contract/rows.ts";
import type { SideBySide } from "./contract/side-by-side.ts";
import type { SparseProducts } from "./contract/sparse-products.ts";
import type { MemoryUse, Storage } from "./contract/storage.ts";

export type * from "./contract/convolution.ts";
export type * from "./contract/dense-products.ts";
export type * from "./contract/derived.ts";
export type * from "./contract/elementwise.ts";
export type * from "./contract/flip-trials.ts";
export type * from "./contract/margins.ts";
export type * from "./contract/noisy-graphs.ts";
export type * from "./contract/page-rank.ts";
export type * from "./contract/pair-blocks.ts";
export type * from "./contract/robust.ts";
export type * from "./contract/rows.ts";
export type * from "./contract/side-by-side.ts";
export type * from "./contract/soft-median.ts";
export type * from "./contract/sparse-products.ts";
export type * from "./contract/storage.ts";

/**
 * The kernels that a device must have, and its buffers.
 *
 * Kernels know buffers and sizes, not shapes, gradients or graphs. Each writes into buffers the caller allocated. The
 * slow float64 versions in `reference/` define what each one computes; `test/contract/` runs every backend against them
 * (rule R2). Launching is synchronous; only {@link Storage.read} waits for results.
 *
 * Matrices are dense and row-major. `f32` buffers hold 32-bit floats (the reference backend computes and stores in
 * float64), `i32` buffers hold indices and counts.
 *
 * Buffers may be longer than a kernel needs; shorter ones are a `ShapeError`. An output may overlap an input only if
 * the kernel says "in place". A scalar that is compared with stored floats (`floor`) is first rounded to f32 on
 * backends that store f32, so that a weight at the floor is never above it. NaN passes through arithmetic; selections
 * (`argmaxRows`, `topK`, `max`, the kernels of blocks) promise nothing about it.
 */
export interface CoreKernels
  extends Storage,
    Elementwise,
    Rows,
    Reductions,
    DenseProducts,
    SparseProducts,
    RobustAggregation,
    PairBlocks {
  readonly name: string;
  readonly memory: MemoryUse;
  /** Present where noisy graphs are drawn on the device, so that it and the host need not wait for each other. */
  readonly noisyGraphs?: NoisyGraphKernels;
  /** Ends worker threads or releases the device. */
  close(): Promise<void>;
}

/** What a device implements: all core kernels, and optionally its own versions of kernels that could be composed. */
export type Device = CoreKernels & Partial<DerivedKernels> & FusedSideBySide;

/** All kernels that ops, models and attacks use. `compose/complete.ts` makes it from a device. */
export interface Backend extends CoreKernels, DerivedKernels, FusedSideBySide {}

/** Optional kernels for models side by side. `compose/side-by-side.ts` composes them for devices without. */
export interface FusedSideBySide {
  readonly sideBySide?: SideBySide;
}

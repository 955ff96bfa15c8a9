import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { NamedBuffers, NamedNumbers } from "../device/pipelines.ts";
import type { ShaderName } from "../device/shader.ts";
import type { Precision } from "../precision.ts";
import { rowsPerBinding } from "../shared/row-pieces.ts";
import { type RowVectors, rowVectors, wideVectors } from "../shared/row-vectors.ts";
import { gatherWindows } from "./gather-windows.ts";
import { PackedMatrices, type PackedRows } from "./packed-rows.ts";
import { type Gathers, type PackingRule, packingPays, USUAL_PACKING } from "./packing-rule.ts";

/** How a kernel reads the rows that it gathers. */
export interface GatheredRows {
  /** File that has `gathered(j, c, weight)`, with its arguments and parameters. */
  readonly file: ShaderName;
  readonly bind: NamedBuffers;
  readonly params: NamedNumbers;
  readonly vectors: RowVectors;
}

/** Rows of matrices for kernels that gather: as they are, or as halves with precision `half` where that saves time. */
export class RowGathering {
  private readonly gpu: Gpu;
  private readonly precision: Precision;
  private readonly rule: PackingRule;
  private readonly packed: PackedMatrices;

  constructor(gpu: Gpu, precision: Precision, rule: PackingRule = USUAL_PACKING) {
    this.gpu = gpu;
    this.precision = precision;
    this.rule = rule;
    this.packed = new PackedMatrices(gpu);
  }

  /** The rows of X, in at most two windows. Valid for launches before X is written to. */
  from(X: GpuBuffer, gathers: Gathers): GatheredRows {
    if (this.asHalves([X], gathers)) {
      const { buffer, firstUnit, stride } = this.halves(X, gathers);
      const vectors = wideVectors(gathers.cols);
      return { file: "gather-halves", bind: { X: buffer }, params: { firstUnit, stride }, vectors };
    }
    return singleRows(this.gpu, X, gathers);
  }

  /** Bindings that it takes to hold each of these matrices of the same shape. Kernels gather from at most two. */
  windows(matrices: readonly GpuBuffer[], gathers: Gathers): number {
    if (this.asHalves(matrices, gathers)) return 1;
    return Math.ceil(gathers.rows / rowsPerBinding(this.gpu, gathers.cols));
  }

  /**
   * Whether to read rows of all these matrices, which have the same shape, as halves. If one of two is already packed,
   * the other one soon will be: one is gathered by a convolution, the other by its gradient.
   */
  asHalves(matrices: readonly GpuBuffer[], gathers: Gathers): boolean {
    const { rows, cols } = gathers;
    if (this.precision !== "half" || !this.packed.canPack(rows, cols)) return false;
    return packingPays(gathers, this.rule) || matrices.some((X) => this.packed.has(X, rows, cols));
  }

  halves(X: GpuBuffer, { rows, cols }: Pick<Gathers, "rows" | "cols">): PackedRows {
    return this.packed.of(X, rows, cols);
  }
}

/** The rows of X as they are, in at most two windows. */
export function singleRows(gpu: Gpu, X: GpuBuffer, { rows, cols }: Gathers): GatheredRows {
  const vectors = rowVectors(cols);
  const windows = gatherWindows(gpu, X, rows, cols);
  if (!windows.rest) return { file: "gather-whole", bind: { X }, params: {}, vectors };
  const { split, ...bind } = windows;
  return { file: "gather-windows", bind: { ...bind }, params: { split }, vectors };
}

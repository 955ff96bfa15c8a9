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
  /** File that has `gathered(j, c, weight)`, and what it needs. */
  readonly file: ShaderName;
  readonly bind: NamedBuffers;
  readonly params: NamedNumbers;
  readonly vectors: RowVectors;
}

/** Rows of matrices for kernels that gather many of them: as they are, or as halves where that is asked for and pays. */
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

  /** The rows of X, in two windows at most, for launches before X is written to. */
  from(X: GpuBuffer, gathers: Gathers): GatheredRows {
    if (this.asHalves([X], gathers)) {
      const { buffer, firstUnit, stride } = this.halves(X, gathers);
      const vectors = wideVectors(gathers.cols);
      return { file: "gather-halves", bind: { X: buffer }, params: { firstUnit, stride }, vectors };
    }
    return singleRows(this.gpu, X, gathers);
  }

  /** Bindings that hold the rows of each of these matrices, of one shape. Kernels gather from two at most. */
  windows(matrices: readonly GpuBuffer[], gathers: Gathers): number {
    if (this.asHalves(matrices, gathers)) return 1;
    return Math.ceil(gathers.rows / rowsPerBinding(this.gpu, gathers.cols));
  }

  /**
   * Whether rows of all these matrices, of one shape, should be read as halves. If one of two is packed already, the other soon will be: they
   * are what a convolution gathers and what its gradient gathers.
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

/** The rows of X as they are, in two windows at most. */
export function singleRows(gpu: Gpu, X: GpuBuffer, { rows, cols }: Gathers): GatheredRows {
  const vectors = rowVectors(cols);
  const windows = gatherWindows(gpu, X, rows, cols);
  if (!windows.rest) return { file: "gather-whole", bind: { X }, params: {}, vectors };
  const { split, ...bind } = windows;
  return { file: "gather-windows", bind: { ...bind }, params: { split }, vectors };
}

import type { Backend, Buffer, TanhMargins } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { lanesFor } from "../shared/lanes.ts";

/** Columns per lane in comparisons of rows: with more lanes, combining their results takes longer than it saves. */
const PER_LANE = 8;

type Margins = Pick<Backend, "margins" | "marginsGrad" | "tanhMargins" | "tanhMarginsGrad">;

/** How far the entry of one column lies above the largest other entry of its row. */
export function margins(gpu: Gpu): Margins {
  return {
    margins(out, rivals, X, column, cols) {
      const name = "margins";
      const y = gpu.floats(name, "out", out, column.length);
      const found = gpu.ints(name, "rivals", rivals, column.length);
      compare(gpu, { name, out: y, rivals: found, sums: null, X, column, cols });
    },
    marginsGrad(dX, x, column, rivals, cols) {
      compareGrad(gpu, { name: "marginsGrad", dX, made: { tanhs: x, rivals }, column, cols, d: null, factor: 1 });
    },
    tanhMargins: tanhMargins(gpu),
    tanhMarginsGrad({ dX, d, saved: made, column, cols, factor }) {
      const name = "tanhMarginsGrad";
      compareGrad(gpu, { name, dX, made, column, cols, d: gpu.floats(name, "d", d, 1), factor });
    },
  };
}

function tanhMargins(gpu: Gpu): Backend["tanhMargins"] {
  return ({ out, correct, saved: { tanhs, rivals }, X, column, cols, factor }) => {
    const name = "tanhMargins";
    const { length } = column;
    const total = gpu.floats(name, "out", out, 1);
    const numCorrect = gpu.floats(name, "correct", correct, 1);
    const y = gpu.floats(name, "tanhs", tanhs, length);
    const found = gpu.ints(name, "rivals", rivals, length);
    const parts = Math.ceil((length * lanesFor(gpu, cols / PER_LANE).lanes) / WORKGROUP);
    gpu.borrow({ sums: { f32: 2 * parts } }, ({ sums }) => {
      compare(gpu, { name, out: y, rivals: found, sums, X, column, cols });
      gpu.launch({
        shader: "margin-totals",
        bind: { out: total, correct: numCorrect, sums },
        params: { length: parts, factor },
        groups: 1,
      });
    });
  };
}

interface Comparison {
  /** The kernel's name, for errors. */
  readonly name: string;
  readonly out: GpuBuffer;
  readonly rivals: GpuBuffer;
  /**
   * If given, `out` receives the tanh of margins, and `sums` their sum and the number of correct rows per workgroup.
   */
  readonly sums: GpuBuffer | null;
  readonly X: Buffer;
  readonly column: Buffer;
  readonly cols: number;
}

function compare(gpu: Gpu, { name, out, rivals, sums, X, column, cols }: Comparison): void {
  const { length } = column;
  const x = gpu.floats(name, "X", X, length * cols);
  const at = gpu.ints(name, "column", column);
  const { lanes, file } = lanesFor(gpu, cols / PER_LANE);
  gpu.launch({
    shader: "margins",
    with: [file],
    constants: { T: "f32", LANES: lanes, TANH: Number(sums !== null) },
    bind: { out, rivals, X: x, column: at, sums },
    params: { rows: length, cols, lowest: Number.NEGATIVE_INFINITY },
    threads: length * lanes,
  });
}

interface ComparisonGrad {
  readonly name: string;
  readonly dX: Buffer;
  /** `tanhs` is the gradient by the margins, or with `d` the tanhs themselves. */
  readonly made: TanhMargins;
  readonly column: Buffer;
  readonly cols: number;
  /** The gradient by out_0 = factor · Σ tanhs. */
  readonly d: GpuBuffer | null;
  readonly factor: number;
}

function compareGrad(gpu: Gpu, { name, dX, made, column, cols, d, factor }: ComparisonGrad): void {
  const { length } = column;
  gpu.launch({
    shader: "margins-grad",
    constants: { TANH: Number(d !== null) },
    bind: {
      dX: gpu.floats(name, "dX", dX, length * cols),
      x: gpu.floats(name, "x", made.tanhs, length),
      column: gpu.ints(name, "column", column),
      rivals: gpu.ints(name, "rivals", made.rivals, length),
      d,
    },
    params: { rows: length, cols, factor },
    threads: length * cols,
  });
}

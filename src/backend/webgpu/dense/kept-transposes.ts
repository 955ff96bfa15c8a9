import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { transpose } from "../rows/transpose.ts";

/** Transposes of matrices with up to this many elements are kept. */
const MAX_ELEMENTS = 2 ** 20;
/** Number of transposes to keep: the weights of a few layers. */
const MAX_KEPT = 16;

interface Kept {
  readonly buffer: GpuBuffer;
  /** Version of the source's memory when it was transposed. */
  version: number;
}

/**
 * Transposes of small matrices, kept until the matrices are written to. The weights of a model under attack are the
 * same in every epoch, and the gradient of a layer multiplies by their transpose.
 */
export class KeptTransposes {
  private readonly gpu: Gpu;
  private readonly kept = new Map<string, Kept>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** Lends `use` the transpose of a [rows, cols] matrix; it is valid only for launches made by `use`. */
  lend(X: GpuBuffer, rows: number, cols: number, use: (transposed: GpuBuffer) => void): void {
    const { gpu } = this;
    if (rows * cols > MAX_ELEMENTS) {
      gpu.borrow({ transposed: { f32: rows * cols } }, ({ transposed }) => {
        transpose(gpu, transposed, X, rows, cols);
        use(transposed);
      });
      return;
    }
    const key = `${X.memory.id}:${X.offset}:${rows}x${cols}`;
    const kept = this.kept.get(key) ?? { buffer: this.take(rows * cols), version: -1 };
    this.kept.delete(key);
    this.kept.set(key, kept); // move to the end: the first is the least recently used
    if (kept.version !== X.memory.version) transpose(gpu, kept.buffer, X, rows, cols);
    kept.version = X.memory.version;
    use(kept.buffer);
  }

  private take(length: number): GpuBuffer {
    if (this.kept.size >= MAX_KEPT) {
      const oldest = this.kept.keys().next().value as string;
      this.gpu.heap.recycle((this.kept.get(oldest) as Kept).buffer);
      this.kept.delete(oldest);
    }
    return this.gpu.heap.reserve(length);
  }
}

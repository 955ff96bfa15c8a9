import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { transposed } from "../rows/rows.ts";

/** Most elements of a matrix that is kept turned, and most of them: the weights of a few layers. */
const MAX_ELEMENTS = 2 ** 20;
const MAX_KEPT = 16;

interface Kept {
  readonly buffer: GpuBuffer;
  /** Of the memory it was made from. */
  version: number;
}

/**
 * Transposes of small matrices, kept until they are written to: the weights of a model under attack are the same in every epoch,
 * and the way back through a layer multiplies by their transpose.
 */
export class KeptTransposes {
  private readonly gpu: Gpu;
  private readonly kept = new Map<string, Kept>();

  constructor(gpu: Gpu) {
    this.gpu = gpu;
  }

  /** Hands the transpose of a [rows, cols] matrix to `use`, which launches what reads it and keeps nothing. */
  lend(X: GpuBuffer, rows: number, cols: number, use: (turned: GpuBuffer) => void): void {
    const { gpu } = this;
    if (rows * cols > MAX_ELEMENTS) {
      gpu.borrow([["f32", rows * cols]], (turned) => {
        transposed(gpu, turned, X, rows, cols);
        use(turned);
      });
      return;
    }
    const key = `${X.memory.id}:${X.offset}:${rows}x${cols}`;
    const kept = this.kept.get(key) ?? { buffer: this.take(rows * cols), version: -1 };
    this.kept.delete(key);
    this.kept.set(key, kept); // behind all others: the first is the one that was asked for longest ago
    if (kept.version !== X.memory.version) transposed(gpu, kept.buffer, X, rows, cols);
    kept.version = X.memory.version;
    use(kept.buffer);
  }

  private take(length: number): GpuBuffer {
    if (this.kept.size >= MAX_KEPT) {
      const [key, { buffer }] = this.kept.entries().next().value!;
      this.kept.delete(key);
      this.gpu.heap.recycle(buffer);
    }
    return this.gpu.heap.reserve(length);
  }
}

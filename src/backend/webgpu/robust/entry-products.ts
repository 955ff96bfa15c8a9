import type { CsrBuffers } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowVectors } from "../shared/row-vectors.ts";

/** Threads that share a row, as in `entry-products.wgsl`. */
const ROW_THREADS = 32;

interface EntryProducts {
  /** A number per entry (i, j) of S. */
  readonly out: GpuBuffer;
  readonly S: CsrBuffers;
  readonly G: GpuBuffer;
  readonly X: GpuBuffer;
  readonly cols: number;
}

/** out_e = ⟨G_i, X_j⟩. */
export function entryDots(gpu: Gpu, products: EntryProducts): void {
  launch(gpu, products, 0);
}

/** out_e = ‖G_i − X_j‖ / √cols. */
export function entryDistances(gpu: Gpu, products: EntryProducts): void {
  launch(gpu, products, 1);
}

function launch(gpu: Gpu, { out, S, G, X, cols }: EntryProducts, DISTANCE: number): void {
  const { rowPtr, colIdx } = gpu.csr("entry-products", S);
  const { T, width, total } = rowVectors(cols);
  const { lanes, file } = lanesFor(gpu, width);
  gpu.launch({
    shader: "entry-products",
    with: [file, total],
    constants: { T, LANES: lanes, DISTANCE },
    bind: { out, rowPtr, colIdx, G, X },
    params: { rows: S.numRows, cols, width },
    threads: S.numRows * ROW_THREADS,
  });
}

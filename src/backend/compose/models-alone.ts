import type { Backend, Buffer, SideBySideShape } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** A matrix [rows, width] for each model. */
export interface ModelMatrices extends SideBySideShape {
  readonly rows: number;
}

/** Lends `use` a contiguous matrix for each model, copied out of `X`, which has them side by side. */
export function separateModels(
  parts: Backend,
  X: Buffer,
  matrices: ModelMatrices,
  use: (matrixOf: (model: number) => Buffer) => void,
): void {
  const { rows, models } = matrices;
  const padded = paddedRows(matrices);
  const rowOf = (t: number) => Math.min(t % padded, rows - 1) * models + Math.floor(t / padded);
  lendMatrices(parts, matrices, (all, matrixOf) => {
    gather(
      parts,
      { to: all, from: X, width: matrices.width },
      Int32Array.from({ length: models * padded }, (_, t) => rowOf(t)),
    );
    use(matrixOf);
  });
}

/** Lends `make` a contiguous matrix for each model, then copies them side by side into `out`. */
export function joinModels(
  parts: Backend,
  out: Buffer,
  matrices: ModelMatrices,
  make: (matrixOf: (model: number) => Buffer) => void,
): void {
  const { rows, models } = matrices;
  const padded = paddedRows(matrices);
  const rowOf = (t: number) => (t % models) * padded + Math.floor(t / models);
  lendMatrices(parts, matrices, (all, matrixOf) => {
    make(matrixOf);
    gather(
      parts,
      { to: out, from: all, width: matrices.width },
      Int32Array.from({ length: rows * models }, (_, t) => rowOf(t)),
    );
  });
}

function lendMatrices(
  parts: Backend,
  matrices: ModelMatrices,
  use: (all: Buffer, matrixOf: (model: number) => Buffer) => void,
): void {
  const { rows, models, width } = matrices;
  const size = paddedRows(matrices) * width;
  borrow(parts, "f32", models * size, (all) => use(all, (g) => parts.view(all, g * size, rows * width)));
}

/** Rows, rounded up so that the next model's matrix begins at a multiple of 64 elements, as views must. */
function paddedRows({ rows, width }: ModelMatrices): number {
  let step = 64;
  while (step > 1 && ((step / 2) * width) % 64 === 0) step /= 2;
  return step * Math.ceil(rows / step);
}

function gather(
  parts: Backend,
  { to, from, width }: { to: Buffer; from: Buffer; width: number },
  rows: Int32Array,
): void {
  const index = parts.upload(rows);
  parts.gatherRows(to, from, index, width);
  parts.free(index);
}

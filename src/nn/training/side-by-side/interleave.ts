import type { Values } from "../../../tensor/index.ts";

/** Matrices [rows, width] as one, [rows, models·width]: each row has that row of the first matrix, then that of the second, … */
export function interleave(matrices: readonly Values[], width: number): Values {
  const models = matrices.length;
  const out = valuesLike(matrices[0], models * matrices[0].length);
  for (const [g, matrix] of matrices.entries()) {
    for (let begin = 0; begin < matrix.length; begin += width) {
      out.set(matrix.subarray(begin, begin + width), begin * models + g * width);
    }
  }
  return out;
}

/** The matrices that {@link interleave} put together. */
export function separate(all: Values, models: number, width: number): Values[] {
  return Array.from({ length: models }, (_, g) => {
    const matrix = valuesLike(all, all.length / models);
    for (let begin = 0; begin < matrix.length; begin += width) {
      const from = begin * models + g * width;
      matrix.set(all.subarray(from, from + width), begin);
    }
    return matrix;
  });
}

/** An array of the same type, so that 32-bit values from a GPU are not converted. */
function valuesLike(values: Values, length: number): Values {
  return values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
}

import type { ShaderName } from "../device/shader.ts";

/** How kernels read and write rows of a matrix: several numbers at a time where rows are made of so many, else one by one. */
export interface RowVectors {
  /** The type of so many floats. */
  readonly T: "mat2x4f" | "vec4f" | "f32";
  /** Vectors in a row, and numbers in a vector. */
  readonly width: number;
  readonly size: number;
  /** The file that adds up a vector. */
  readonly total: ShaderName;
}

/** As many at a time as a thread loads at once, and the type of so many integers. */
export function rowVectors(cols: number): RowVectors & { readonly I: "vec4i" | "i32" } {
  if (cols % 4 === 0) return { T: "vec4f", I: "vec4i", width: cols / 4, size: 4, total: "total-vec4f" };
  return { T: "f32", I: "i32", width: cols, size: 1, total: "total-f32" };
}

/** Eight at a time: as many halves as a thread loads at once. */
export function wideVectors(cols: number): RowVectors {
  return { T: "mat2x4f", width: cols / 8, size: 8, total: "total-mat2x4f" };
}

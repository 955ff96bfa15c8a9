import type { ShaderName } from "../device/shader.ts";

/** How kernels read rows of a matrix: as vectors of four numbers where rows are made of fours, else number by number. */
export interface RowVectors {
  /** Types of floats and integers. */
  readonly T: "vec4f" | "f32";
  readonly I: "vec4i" | "i32";
  /** Vectors in a row, and numbers in a vector. */
  readonly width: number;
  readonly size: number;
  /** The file that adds up a vector. */
  readonly total: ShaderName;
}

export function rowVectors(cols: number): RowVectors {
  if (cols % 4 === 0) return { T: "vec4f", I: "vec4i", width: cols / 4, size: 4, total: "total-vec4f" };
  return { T: "f32", I: "i32", width: cols, size: 1, total: "total-f32" };
}

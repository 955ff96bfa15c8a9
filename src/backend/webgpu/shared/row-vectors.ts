import type { NamedNumbers } from "../device/pipelines.ts";
import type { ShaderName } from "../device/shader.ts";

/** How kernels read and write rows of a matrix: in vectors of several numbers, or number by number. */
export interface RowVectors {
  /** The type of a vector. */
  readonly T: "mat2x4f" | "vec4f" | "f32";
  /** Vectors in a row, and numbers in a vector. */
  readonly width: number;
  readonly size: number;
  /** The file that adds up a vector. */
  readonly total: ShaderName;
  /** The files that write and read rows, and their parameters; an incomplete last vector goes number by number. */
  readonly put: ShaderName;
  readonly given: ShaderName;
  readonly params: NamedNumbers;
}

const WHOLE = { put: "put-vectors", given: "given-vectors", params: {} } as const;

/** Vectors of four numbers, which a thread loads at once, or single numbers. `I` is the same type of integers. */
export function rowVectors(cols: number): RowVectors & { readonly I: "vec4i" | "i32" } {
  if (cols % 4 === 0) return { T: "vec4f", I: "vec4i", width: cols / 4, size: 4, total: "total-vec4f", ...WHOLE };
  return { T: "f32", I: "i32", width: cols, size: 1, total: "total-f32", ...WHOLE };
}

/** Eight numbers at a time: as many halves as a thread loads at once. */
export function wideVectors(cols: number): RowVectors {
  const ends =
    cols % 8 === 0 ? WHOLE : ({ put: "put-ragged", given: "given-ragged", params: { numCols: cols } } as const);
  return { T: "mat2x4f", width: Math.ceil(cols / 8), size: 8, total: "total-mat2x4f", ...ends };
}

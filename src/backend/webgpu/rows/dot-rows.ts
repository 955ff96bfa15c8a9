import type { Gpu } from "../device/gpu.ts";
import type { NamedBuffers } from "../device/pipelines.ts";
import type { Constants } from "../device/shader.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { rowVectors } from "../shared/row-vectors.ts";

/** A kernel that sums over each row of a [rows, cols] matrix. */
export interface DotRows {
  readonly shader: "row-dots" | "finish-grad";
  readonly constants: Constants;
  readonly rows: number;
  readonly cols: number;
  /** Arguments for `count` rows from `begin` on. */
  readonly bind: (begin: number, count: number) => NamedBuffers;
}

export function dotRows(gpu: Gpu, { shader, constants, rows, cols, bind }: DotRows): void {
  const { T, width, total } = rowVectors(cols);
  const { lanes, file } = lanesFor(gpu, width);
  rowPieces(gpu, rows, cols, (begin, count) => {
    gpu.launch({
      shader,
      with: [file, total],
      constants: { ...constants, T, LANES: lanes },
      bind: bind(begin, count),
      params: { rows: count, cols: width },
      threads: count * lanes,
    });
  });
}

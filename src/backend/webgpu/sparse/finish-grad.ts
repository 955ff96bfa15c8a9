import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { dotRows } from "../rows/dot-rows.ts";
import { finishBits } from "../shared/finish-bits.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { rowVectors } from "../shared/row-vectors.ts";

/** The gradient by Z of Y = finish(Z), and its inner products with the rows of Z. */
export function finishGrad(gpu: Gpu): Backend["finishGrad"] {
  return ({ dZ, dots, dY, Y, rows, cols, finish: { bias, relu = false } }) => {
    const name = "finishGrad";
    const dy = gpu.floats(name, "dY", dY, rows * cols);
    const y = gpu.floats(name, "Y", Y, rows * cols);
    const dz = relu ? gpu.floats(name, "dZ", dZ, rows * cols) : null;
    const sums = gpu.floats(name, "dots", dots, rows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    dotRows(gpu, {
      shader: "finish-grad",
      constants: { HAS_BIAS: Number(added !== null), HAS_RELU: Number(relu) },
      rows,
      cols,
      bind: (begin, count) => ({
        dZ: dz?.window(begin * cols, count * cols) ?? null,
        dots: sums.window(begin, count),
        dY: dy.window(begin * cols, count * cols),
        Y: y.window(begin * cols, count * cols),
        bias: added,
      }),
    });
  };
}

/** The same where Y has only some of the rows; `places` sums them into all rows. */
export function finishGradRows(gpu: Gpu): Backend["finishGradRows"] {
  return ({ dZ, dots, dY, Y, places, cols, finish: { bias, relu = false } }) => {
    const name = "finishGradRows";
    const { numRows, numCols } = places;
    const dy = gpu.floats(name, "dY", dY, numCols * cols);
    const y = gpu.floats(name, "Y", Y, numCols * cols);
    const dz = gpu.floats(name, "dZ", dZ, numRows * cols);
    const sums = gpu.floats(name, "dots", dots, numRows);
    const { rowPtr, colIdx } = gpu.csr(name, places);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    const { T, width, total } = rowVectors(cols);
    const { lanes, file } = lanesFor(gpu, width / 4); // few, because most rows are not in Y and only get zeros
    rowPieces(gpu, numRows, cols, (begin, count) => {
      gpu.launch({
        shader: "finish-grad-rows",
        with: [file, total],
        constants: { T, LANES: lanes },
        bind: {
          dZ: dz.window(begin * cols, count * cols),
          dots: sums.window(begin, count),
          dY: dy,
          Y: y,
          bias: added,
          rowPtr: rowPtr.window(begin, count + 1),
          colIdx,
        },
        params: { rows: count, cols: width, finish: finishBits({ bias: added, relu }) },
        threads: count * lanes,
      });
    });
  };
}

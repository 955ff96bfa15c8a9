import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { finishBits } from "../shared/finish-bits.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import type { KeptTransposes } from "./kept-transposes.ts";
import { type Tiling, wholeRowTiling } from "./tiling.ts";

type Parts = Pick<Backend, "matmul" | "finishGrad"> & Pick<Backend, "reluGradProduct">;

/** The gradient of a product by its input, and through the input's bias and relu; one launch if rows fit a tile. */
export function productFinishGrad(
  gpu: Gpu,
  transposes: KeptTransposes,
  parts: Parts,
): Pick<Backend, "productFinishGrad"> {
  return {
    productFinishGrad({ dZ, dots, dV, W, Y, size: { m, n, k }, finish, above }) {
      const tiling = wholeRowTiling({ m, n: k, k: n });
      if (!tiling) {
        if (above) parts.reluGradProduct(dZ, dV, above, W, { m, n, k });
        else parts.matmul(dZ, dV, W, { m, n: k, k: n, transB: true });
        parts.finishGrad({ dZ, dots, dY: dZ, Y, rows: m, cols: k, finish });
        return;
      }
      const name = "productFinishGrad";
      const fused = {
        dZ: gpu.floats(name, "dZ", dZ, m * k),
        dots: gpu.floats(name, "dots", dots, m),
        dV: gpu.floats(name, "dV", dV, m * n),
        Y: gpu.floats(name, "Y", Y, m * k),
        bias: gpu.floatsOrNone(name, "bias", finish.bias, k),
        mask: gpu.floatsOrNone(name, "above", above, m * n),
        relu: finish.relu ?? false,
      };
      const w = gpu.floats(name, "W", W, k * n);
      transposes.lend(w, k, n, (columns) => inOneLaunch(gpu, tiling, { ...fused, W: columns }, { m, n, k }));
    },
  };
}

/** Arguments of the fused kernel. W is transposed: [n, k]. */
interface Fused {
  readonly dZ: GpuBuffer;
  readonly dots: GpuBuffer;
  readonly dV: GpuBuffer;
  readonly W: GpuBuffer;
  readonly Y: GpuBuffer;
  readonly bias: GpuBuffer | null;
  readonly mask: GpuBuffer | null;
  readonly relu: boolean;
}

function inOneLaunch(
  gpu: Gpu,
  { rows, constants }: Tiling,
  { dZ, dots, dV, W, Y, bias, mask, relu }: Fused,
  { m, n, k }: { m: number; n: number; k: number },
): void {
  rowPieces(gpu, m, [n, k], (begin, count) => {
    const piece = (buffer: GpuBuffer, cols: number) => buffer.window(begin * cols, count * cols);
    const tilesM = Math.ceil(count / rows);
    gpu.launch({
      shader: "matmul-wide",
      with: ["matmul-finish-grad"],
      constants: { ...constants, TRANS_A: 0, MASKED: Number(mask !== null) },
      bind: {
        out: piece(dZ, k),
        A: piece(dV, n),
        B: W,
        bias,
        mask: mask && piece(mask, n),
        Y: piece(Y, k),
        dots: piece(dots, 1),
      },
      params: { m: count, n: k, k: n, tilesM, tilesN: 1, chunk: n, finish: finishBits({ bias, relu }) },
      groups: tilesM,
    });
  });
}

import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import type { KeptTransposes } from "./kept-transposes.ts";
import { bits, LARGE, NARROW, type Plan, WIDE, withDepth } from "./matmul.ts";

/** Few rows, so that a workgroup has all of their columns. */
const WHOLE_ROWS: Plan = { file: "matmul-wide", BM: 64, BN: 256, defines: { TX: 32, TY: 8, QUADS: 2 } };

/** Tiles as wide as the result, since inner products need whole rows; null where the large tiles do not fit. */
function planFor(m: number, cols: number, inner: number): Plan | null {
  if (m * cols * inner < LARGE || cols % 4 !== 0 || inner % 4 !== 0 || cols > WHOLE_ROWS.BN) return null;
  if (cols > WIDE.BN) return withDepth(WHOLE_ROWS, inner, 8); // strips of B this wide are no deeper
  return withDepth(cols > NARROW.BN ? WIDE : NARROW, inner);
}

/** A product on the way back and what the matrix before it finished with, in one launch where its rows fit into tiles. */
export function productFinishGrad(
  gpu: Gpu,
  turned: KeptTransposes,
  parts: Pick<Backend, "matmul" | "finishGrad"> & Required<Pick<Backend, "reluGradProduct">>,
): Pick<Backend, "productFinishGrad"> {
  return {
    productFinishGrad(dZ, dots, dV, W, Y, { m, n, k }, finish, above) {
      const name = "productFinishGrad";
      const plan = planFor(m, k, n);
      if (!plan) {
        if (above) parts.reluGradProduct(dZ, dV, above, W, { m, n, k });
        else parts.matmul(dZ, dV, W, { m, n: k, k: n, transB: true });
        parts.finishGrad(dZ, dots, dZ, Y, m, k, finish);
        return;
      }
      const dz = gpu.floats(name, "dZ", dZ, m * k);
      const dv = gpu.floats(name, "dV", dV, m * n);
      const w = gpu.floats(name, "W", W, k * n);
      const y = gpu.floats(name, "Y", Y, m * k);
      const sums = gpu.floats(name, "dots", dots, m);
      const mask = gpu.floatsOrNone(name, "above", above, m * n);
      const bias = gpu.floatsOrNone(name, "bias", finish.bias, k);
      const flags = { ...plan.defines, TRANS_A: 0, TRANS_B: 0, MASKED: Number(mask !== null) };
      const kernel = gpu.kernel(`matmul-wide matmul-finish-grad ${Object.values(flags)}`, () => ({
        ...{ files: ["threads", "matmul-wide", "matmul-finish-grad"], defines: flags },
      }));
      turned.lend(w, k, n, (columns) => {
        rowPieces(gpu, m, Math.max(n, k), (begin, count) => {
          const piece = (buffer: GpuBuffer, cols: number) => buffer.window(begin * cols, count * cols);
          const masks = mask && piece(mask, n);
          const args = [piece(dz, k), piece(dv, n), columns, bias, masks, piece(y, k), piece(sums, 1)];
          const tiles = Math.ceil(count / plan.BM);
          const asked = bits(false, { bias, relu: finish.relu ?? false });
          gpu.run(kernel, args, [count, k, n, tiles, 1, n, asked], tiles);
        });
      });
    },
  };
}

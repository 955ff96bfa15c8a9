import type { Backend } from "../backend.ts";
import { composeConvolve } from "./compose-convolve.ts";
import { dotRows } from "./dot-rows.ts";
import type { Gpu } from "./gpu.ts";
import { perSparseRows, sideFlags, windows } from "./sparse.ts";

/** Buffers that a convolution binds, which is more than every device allows. */
const BINDINGS = 10;

/** Graph convolution in one launch, and the way back through what it finishes with. */
export function convolve(
  gpu: Gpu,
  parts: Parameters<typeof composeConvolve>[1],
): Pick<Backend, "convolve" | "finishGrad"> {
  const fused: Backend["convolve"] = (out, { A, B }, X, cols, scale, { bias, relu = false } = {}) => {
    const { numRows } = A;
    const [a, b] = [gpu.csr("convolve", A), B && gpu.csr("convolve", B)];
    const y = gpu.floats("convolve", "out", out, numRows * cols);
    const x = gpu.floats("convolve", "X", X, numRows * cols);
    const by = gpu.floats("convolve", "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone("convolve", "bias", bias, cols);
    const [first, rest, split] = windows(gpu, x, numRows, cols);
    const flags = { HAS_PAIRS: Number(b !== null), WINDOWS: rest ? 2 : 1, ...sideFlags(scale) };
    const finish = 2 * Number(added !== null) + 4 * Number(relu);
    perSparseRows(gpu, "convolve-entries", flags, numRows, cols, (begin, count) => {
      const pairs = [b?.rowPtr.window(begin, count + 1) ?? null, b?.colIdx ?? null, b?.values ?? null];
      const args = [y.window(begin * cols, count * cols), a.rowPtr.window(begin, count + 1), a.colIdx];
      return { args: [...args, ...pairs, first, rest, by, added], params: [split, begin, finish] };
    });
  };
  const isRoomy = gpu.device.limits.maxStorageBuffersPerShaderStage >= BINDINGS;
  return {
    convolve: isRoomy ? fused : composeConvolve(gpu, parts),
    finishGrad(dZ, dots, dY, Y, rows, cols, { bias, relu = false }) {
      const name = "finishGrad";
      const [dy, y] = [gpu.floats(name, "dY", dY, rows * cols), gpu.floats(name, "Y", Y, rows * cols)];
      const dz = relu ? gpu.floats(name, "dZ", dZ, rows * cols) : null;
      const [sums, added] = [gpu.floats(name, "dots", dots, rows), gpu.floatsOrNone(name, "bias", bias, cols)];
      const flags = { HAS_BIAS: Number(added !== null), RELU: Number(relu) };
      dotRows(gpu, "finish-grad", flags, [rows, cols], (begin, count) => {
        const [at, size] = [begin * cols, count * cols];
        const results = [dz?.window(at, size) ?? null, sums.window(begin, count)];
        return [...results, dy.window(at, size), y.window(at, size), added];
      });
    },
  };
}

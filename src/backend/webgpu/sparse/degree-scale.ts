import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { lanesFor } from "../shared/lanes.ts";

/** The normalisation of a convolution, in one launch. */
export function degreeScale(gpu: Gpu): Pick<Backend, "degreeScale"> {
  return {
    degreeScale(out, { A, B }, f) {
      const { numRows } = A;
      const a = gpu.csr("degreeScale", A);
      const b = B && gpu.csr("degreeScale", B);
      const y = gpu.floats("degreeScale", "out", out, numRows);
      const { lanes, file } = lanesFor(gpu, b ? b.colIdx.length / Math.max(numRows, 1) : 1);
      gpu.launch({
        shader: "degree-scale",
        with: [file],
        constants: { LANES: lanes, HAS_PAIRS: Number(b !== null), ROOT: Number(f === "rsqrt") },
        bind: { out: y, rowPtr: a.rowPtr, pairPtr: b?.rowPtr ?? null, pairValues: b?.values ?? null },
        params: { rows: numRows },
        threads: numRows * lanes,
      });
    },
  };
}

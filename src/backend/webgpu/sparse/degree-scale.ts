import type { Backend } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import { lanesFor } from "../shared/lanes.ts";

/** What a convolution is normalised by, in one launch. */
export function degreeScale(gpu: Gpu): Pick<Backend, "degreeScale"> {
  return {
    degreeScale(out, { A, B }, f) {
      const { numRows } = A;
      const a = gpu.csr("degreeScale", A);
      const b = B && gpu.csr("degreeScale", B);
      const y = gpu.floats("degreeScale", "out", out, numRows);
      const { lanes, file } = lanesFor(gpu, b ? b.colIdx.length / Math.max(numRows, 1) : 1);
      const flags = { LANES: lanes, HAS_PAIRS: Number(b !== null), ROOT: Number(f === "rsqrt") };
      const files = ["threads", file, "degree-scale"] as const;
      const kernel = gpu.kernel(`degree-scale ${Object.values(flags)}`, () => ({ files, defines: flags }));
      const args = [y, a.rowPtr, b?.rowPtr ?? null, b?.values ?? null];
      gpu.run(kernel, args, [numRows], Math.ceil((numRows * lanes) / WORKGROUP));
    },
  };
}

import { webgpuSuite } from "./webgpu-suite.ts";

/** Kernels that gather rows as halves where there are many pairs. A device may cut a number off where it does not fit: one part in 1024. */
webgpuSuite("webgpu, rows as halves", { precision: "half" }, { only: ["sddmm", "pairTerms"], tolerance: 4e-3 });

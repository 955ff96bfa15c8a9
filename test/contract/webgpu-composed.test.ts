import { createWebGpu } from "../../src/backend/webgpu/webgpu.ts";
import { webgpuSuite } from "./webgpu-suite.ts";

/** Kernels that the GPU has fused ones for, and that run on it composed of others as well. */
const only = [
  "convolve",
  "convolveRows",
  "convolveGrad",
  "finishGrad",
  "finishGradRows",
  "reluGradProduct",
  "productFinishGrad",
  "degreeScale",
  "margins",
  "tanhMargins",
  "softMedian",
  "dropoutEach",
  "spmmEach",
  "colSumsEach",
  "productEach",
  "productEachGrad",
  "improveEach",
  "copyEachIf",
];

webgpuSuite("webgpu, composed kernels", () => createWebGpu({ fused: false }), { only });

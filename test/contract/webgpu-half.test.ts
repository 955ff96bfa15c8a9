import { halvesEverywhere } from "../support/halves-everywhere.ts";
import { webgpuSuite } from "./webgpu-suite.ts";

/** Kernels that gather or multiply halves. A device may cut a number off where it does not fit: one part in 1024. */
const PRODUCTS = ["matmul", "matmul that finishes"];
const KERNELS = [
  ...PRODUCTS,
  "sddmm",
  "sddmm with factors",
  "pairTerms",
  "spmm",
  "convolve",
  "convolveRows",
  "convolveGrad",
];
const HALVES = { only: KERNELS, tolerance: 4e-3 };

webgpuSuite("webgpu, rows as halves", () => halvesEverywhere(), HALVES);
webgpuSuite("webgpu, rows as halves, without subgroups", () => halvesEverywhere({ subgroups: false }), HALVES);

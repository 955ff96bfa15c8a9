/**
 * Devices that compute: the three that are built in, and the contract that another one implements.
 *
 * @module rgnn/backend
 */
export type * from "./backend.ts"; // the contract names all of these
export { complete, type KernelOptions } from "./compose/complete.ts";
export type { Reductions } from "./contract/reductions.ts";
export { createReference } from "./reference/reference.ts";
export { createWasm, type WasmOptions } from "./wasm/wasm.ts";
export { GPU_PAYS_FROM, openRealGpu, type RealGpu } from "./webgpu/real-gpu.ts";
export { createWebGpu, type GpuKernelOptions, type Precision, type WebGpuOptions } from "./webgpu/webgpu.ts";

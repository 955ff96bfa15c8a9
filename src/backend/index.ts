export type {
  AdamOptions,
  Backend,
  Binary,
  Buffer,
  Convolution,
  CsrBuffers,
  DType,
  FinishBuffers,
  MatmulSize,
  MemoryUse,
  PairBuffers,
  PairDraw,
  Scale,
  Unary,
} from "./backend.ts";
export { createReference } from "./reference/reference.ts";
export { createWasm, type WasmOptions } from "./wasm/wasm.ts";
export { createWebGpu, type WebGpuOptions } from "./webgpu/webgpu.ts";

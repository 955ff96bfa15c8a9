export type {
  AdamOptions,
  Backend,
  Binary,
  Buffer,
  CsrBuffers,
  DType,
  MatmulSize,
  MemoryUse,
  PairBuffers,
  PairDraw,
  PushOptions,
  SddmmOptions,
  Unary,
} from "./backend.ts";
export { createReference } from "./reference/reference.ts";
export { createWasm, type WasmOptions } from "./wasm/wasm.ts";
export { createWebGpu, type WebGpuOptions } from "./webgpu/webgpu.ts";

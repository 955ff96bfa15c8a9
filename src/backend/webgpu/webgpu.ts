import { check, ShapeError } from "../../core/errors.ts";
import type { Backend, Device } from "../backend.ts";
import { complete, type KernelOptions } from "../compose/complete.ts";
import { batchNorm } from "./batch-norm.ts";
import { convolve } from "./convolve.ts";
import { degreeScale } from "./degree-scale.ts";
import { openDevice, type WebGpuOptions } from "./device.ts";
import { dropout } from "./dropout.ts";
import { mergeEdges } from "./edges.ts";
import { elementwise } from "./elementwise.ts";
import { Gpu } from "./gpu.ts";
import { indexedRows } from "./indexed-rows.ts";
import { matmul } from "./matmul.ts";
import { pairs } from "./pairs.ts";
import { productFinishGrad } from "./product-finish-grad.ts";
import { projection } from "./projection.ts";
import { pullRows } from "./pull-rows.ts";
import { reductions } from "./reductions.ts";
import { robust } from "./robust.ts";
import { rows } from "./rows.ts";
import { selection } from "./selection.ts";
import { sparse } from "./sparse.ts";
import { Turned } from "./turned.ts";

export type { WebGpuOptions } from "./device.ts";

/**
 * The GPU backend: WGSL kernels through WebGPU, in Node (package `webgpu`) and in browsers.
 *
 * @example
 * const gpu = await createWebGpu(); // in Node after: npm install webgpu
 * const view = toDevice(gpu, graph);
 */
export async function createWebGpu(options: WebGpuOptions & KernelOptions = {}): Promise<Backend> {
  return backendOn(new Gpu(await openDevice(options)), options);
}

/** The kernels on a device that is open already; benchmarks probe it with more than the contract has. @internal */
export function backendOn(gpu: Gpu, options?: KernelOptions): Backend {
  const { heap } = gpu;
  const simple = elementwise(gpu);
  const perRow = rows(gpu);
  const sums = reductions(gpu);
  const products = sparse(gpu);
  const chosen = indexedRows(gpu, products);
  const turned = new Turned(gpu);
  const dense = matmul(gpu, turned);
  const view: Backend["view"] = (buffer, begin, length) => heap.view(buffer, begin, length);
  const convolutions = convolve(gpu, { view, ...simple, ...perRow, ...products, ...chosen });
  const kernels: Device = {
    name: "webgpu",
    memory: heap,
    alloc: (dtype, length) => heap.alloc(dtype, length),
    view,
    free: (buffer) => heap.free(buffer),
    upload: (data) => gpu.upload(data),
    write(buffer, data) {
      const to = heap.stored("write", "buffer", buffer, data instanceof Int32Array ? "i32" : "f32");
      check(
        data.length <= to.length,
        () => `write: ${data.length} elements do not fit into a buffer of length ${to.length}`,
        ShapeError,
      );
      gpu.write(to, data);
    },
    read: async (buffer) => gpu.read(heap.stored("read", "buffer", buffer, buffer.dtype)),
    close: () => gpu.close(),
    ...simple,
    ...dropout(gpu),
    ...perRow,
    ...products,
    ...degreeScale(gpu),
    ...mergeEdges(gpu),
    ...chosen,
    ...sums,
    ...batchNorm(gpu, { ...simple, ...perRow, ...sums }),
    ...dense,
    ...convolutions,
    ...productFinishGrad(gpu, turned, { ...dense, ...convolutions }),
    ...selection(gpu),
    ...projection(gpu),
    ...pairs(gpu, simple),
    ...pullRows(gpu, chosen),
    ...robust(gpu, { ...simple, ...perRow, ...products, ...chosen }),
  };
  return complete(kernels, options);
}

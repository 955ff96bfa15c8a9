import { check, ShapeError } from "../../core/errors.ts";
import type { Backend, Device } from "../backend.ts";
import { complete, type KernelOptions } from "../compose/complete.ts";
import { HalfProducts, type HalfRule, usualHalfRule } from "./dense/half-products.ts";
import { KeptTransposes } from "./dense/kept-transposes.ts";
import { matmul } from "./dense/matmul.ts";
import { productFinishGrad } from "./dense/product-finish-grad.ts";
import { openDevice, type WebGpuOptions } from "./device/device.ts";
import { Gpu } from "./device/gpu.ts";
import { dropout } from "./elementwise/dropout.ts";
import { elementwise } from "./elementwise/elementwise.ts";
import { noisyGraphs } from "./noise/noisy-graphs.ts";
import { pageRank } from "./page-rank/page-rank.ts";
import { pairs } from "./pairs/pairs.ts";
import { projection } from "./pairs/projection.ts";
import type { Precision } from "./precision.ts";
import { reductions } from "./reductions/reductions.ts";
import { robust } from "./robust/robust.ts";
import { batchNorm } from "./rows/batch-norm.ts";
import { indexedRows } from "./rows/indexed-rows.ts";
import { margins } from "./rows/margins.ts";
import { rows } from "./rows/rows.ts";
import { selection } from "./selection/selection.ts";
import { sideBySide } from "./side-by-side/side-by-side.ts";
import { convolve } from "./sparse/convolve.ts";
import { degreeScale } from "./sparse/degree-scale.ts";
import { mergeEdges } from "./sparse/edges.ts";
import { RowGathering } from "./sparse/gathered-rows.ts";
import type { PackingRule } from "./sparse/packing-rule.ts";
import { pullRows } from "./sparse/pull-rows.ts";
import { sparse } from "./sparse/sparse.ts";
import { HostTrials } from "./trials/host-trials.ts";

export type { WebGpuOptions } from "./device/device.ts";
export type { Precision } from "./precision.ts";

/** Which kernels a GPU uses. */
export interface GpuKernelOptions extends KernelOptions {
  /**
   * `half` stores rows that are gathered many times, by edges or by pairs, as 16-bit floats: half the bytes, and a
   * relative error of at most 1/1024. Large matrix products round their factors likewise if the device has matrix units
   * (tensor cores). Sums stay in 32 bits. Default `single`.
   */
  readonly precision?: Precision;
}

/**
 * The GPU backend: WGSL kernels through WebGPU, in Node (package `webgpu`) and in browsers.
 *
 * @example
 * const gpu = await createWebGpu(); // in Node after: npm install webgpu
 * const view = toDevice(gpu, graph);
 */
export async function createWebGpu(options: WebGpuOptions & GpuKernelOptions = {}): Promise<Backend> {
  return backendOn(new Gpu(await openDevice(options)), options);
}

/** Overrides when `half` precision really uses halves. Default: where they save time. @internal */
export interface HalvesRules {
  readonly packing?: PackingRule;
  readonly products?: HalfRule | null;
}

/** The backend on an open device; benchmarks also run kernels that are not in the contract. @internal */
export function backendOn(gpu: Gpu, options: GpuKernelOptions = {}, rules: HalvesRules = {}): Backend {
  const { precision = "single" } = options;
  const { packing, products: halfRule = usualHalfRule(gpu) } = rules;
  const { heap } = gpu;
  const simple = elementwise(gpu);
  const perRow = rows(gpu);
  const sums = reductions(gpu);
  const gathering = new RowGathering(gpu, precision, packing);
  const products = sparse(gpu, gathering, simple);
  const chosen = indexedRows(gpu, products);
  const transposes = new KeptTransposes(gpu);
  const halves = new HalfProducts(gpu, gathering, transposes, precision === "half" ? halfRule : null);
  const dense = matmul(gpu, transposes, halves);
  const view: Backend["view"] = (buffer, begin, length) => heap.view(buffer, begin, length);
  const trials = new HostTrials();
  const convolutions = convolve(gpu, gathering, perRow);
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
    close: async () => {
      await trials.close();
      await gpu.close();
    },
    openTrials: (stack) => trials.open(stack),
    noisyGraphs: noisyGraphs(gpu, precision),
    ...simple,
    ...dropout(gpu),
    ...perRow,
    ...products,
    ...degreeScale(gpu),
    ...mergeEdges(gpu),
    ...chosen,
    ...margins(gpu),
    ...sums,
    ...batchNorm(gpu, { ...simple, ...perRow, ...sums }),
    ...dense,
    ...convolutions,
    ...productFinishGrad(gpu, transposes, { ...dense, ...convolutions }),
    ...selection(gpu),
    ...pageRank(gpu, { ...simple, ...chosen }),
    ...projection(gpu),
    ...pairs(gpu, simple),
    ...pullRows(gpu, chosen),
    ...robust(gpu, { ...simple, ...perRow, ...products, ...chosen }),
    ...(options.fused !== false && { sideBySide: sideBySide(gpu) }),
  };
  return complete(kernels, options);
}

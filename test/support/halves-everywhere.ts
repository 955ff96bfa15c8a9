import type { Backend } from "../../src/backend/backend.ts";
import { openDevice, type WebGpuOptions } from "../../src/backend/webgpu/device/device.ts";
import { Gpu } from "../../src/backend/webgpu/device/gpu.ts";
import { backendOn, type HalvesRules } from "../../src/backend/webgpu/webgpu.ts";

/** Packs whatever can be packed: the matrices of tests are too small for it to pay. */
export const PACK_ALL: HalvesRules = {
  packing: { leastCols: 1, leastSaved: Number.NEGATIVE_INFINITY },
  products: { by: "plain-products", leastWork: 0, leastCols: 0 },
};

/** A GPU that gathers rows as halves and multiplies halves wherever it can, by its matrix units if it has them. */
export async function halvesEverywhere(options: WebGpuOptions = {}): Promise<Backend> {
  const gpu = new Gpu(await openDevice({ ...options, precision: "half" }));
  const by = gpu.hasMatrixUnits ? "subgroup-products" : "plain-products";
  return backendOn(gpu, { precision: "half" }, { ...PACK_ALL, products: { by, leastWork: 0, leastCols: 0 } });
}

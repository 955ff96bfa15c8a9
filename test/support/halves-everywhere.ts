import type { Backend } from "../../src/backend/backend.ts";
import { openDevice, type WebGpuOptions } from "../../src/backend/webgpu/device/device.ts";
import { Gpu } from "../../src/backend/webgpu/device/gpu.ts";
import type { PackingRule } from "../../src/backend/webgpu/sparse/packing-rule.ts";
import { backendOn } from "../../src/backend/webgpu/webgpu.ts";

/** Packs whatever can be packed: the matrices of tests are too small for it to pay. */
export const PACK_ALL: PackingRule = { leastCols: 8, leastSaved: Number.NEGATIVE_INFINITY, leastPanel: 0 };

/** A GPU that gathers rows as halves wherever it can. */
export async function halvesEverywhere(options: WebGpuOptions = {}): Promise<Backend> {
  return backendOn(new Gpu(await openDevice(options)), { precision: "half" }, PACK_ALL);
}

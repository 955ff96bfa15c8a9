import type { Backend } from "../backend.ts";
import { openDevice } from "./device/device.ts";
import { Gpu } from "./device/gpu.ts";
import { backendOn } from "./webgpu.ts";

/** Nodes from which on to use a GPU: smaller runs take seconds on a CPU, and starting a GPU takes time as well. */
export const GPU_PAYS_FROM = 10_000;

/** A backend, and the name of its adapter. */
export interface RealGpu {
  readonly backend: Backend;
  readonly description: string;
}

/** A backend on a hardware GPU, or an error: drivers that emulate one on the CPU are slower than our CPU backend. */
export async function openRealGpu(): Promise<RealGpu> {
  const { description, ...device } = await openDevice({});
  if (isSoftware(description)) {
    device.device.destroy();
    throw new Error(`${description} is no GPU but a program`);
  }
  return { backend: backendOn(new Gpu({ description, ...device })), description };
}

function isSoftware(description: string): boolean {
  return /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(description);
}

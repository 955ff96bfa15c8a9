import type { Backend } from "../backend.ts";
import { openDevice } from "./device/device.ts";
import { Gpu } from "./device/gpu.ts";
import { backendOn } from "./webgpu.ts";

/** Nodes of a graph from which on a GPU pays: below, a whole run takes seconds on a CPU, and starting a GPU takes time as well. */
export const GPU_PAYS_FROM = 10_000;

/** A backend, and what its adapter calls itself. */
export interface RealGpu {
  readonly backend: Backend;
  readonly description: string;
}

/** A backend on a GPU that is one; throws where there is none, or only a driver that computes on the CPU, more slowly than we do. */
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

import { availableParallelism } from "node:os";
import type { Backend } from "../backend/backend.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { GPU_PAYS_FROM, openRealGpu } from "../backend/webgpu/real-gpu.ts";
import { createWebGpu, type Precision } from "../backend/webgpu/webgpu.ts";
import { check, lookup } from "../core/errors.ts";

/** What decides where a session runs. */
export interface DeviceWish {
  /** `cpu`, `webgpu`, or `auto` to choose between them. */
  readonly device: string;
  /** Threads of the CPU. With `auto`, giving them chooses the CPU. */
  readonly threads?: number;
  /** How a GPU stores rows that it gathers often; only with `webgpu`. */
  readonly precision?: Precision;
  /** Nodes of the graph: `auto` uses a GPU only for large ones. */
  readonly numNodes: number;
}

export interface OpenedDevice {
  readonly backend: Backend;
  /** Threads of the CPU; 1 if the backend is a GPU. */
  readonly threads: number;
  /** Notes on the choice for the user, one line each. */
  readonly notes: readonly string[];
}

/** Throws where {@link openBackend} would, before the graph is read. */
export function checkDevice({ device, threads, precision }: Omit<DeviceWish, "numNodes">): void {
  lookup(devices, device, "device");
  check(
    precision === undefined || device === "webgpu",
    () => `the CPU computes in single precision; leave out --precision with --device ${device}`,
  );
  check(
    threads === undefined || device !== "webgpu",
    () => "threads are of the CPU; leave out --threads with --device webgpu",
  );
  check(
    threads === undefined || (Number.isInteger(threads) && threads >= 1),
    () => `threads must be 1 or more, got ${threads}`,
  );
}

/** Opens the device that was asked for. */
export async function openBackend(wish: DeviceWish): Promise<OpenedDevice> {
  checkDevice(wish);
  return devices[wish.device](wish);
}

const devices: Readonly<Record<string, (wish: DeviceWish) => Promise<OpenedDevice>>> = {
  cpu: openCpu,
  webgpu: async ({ precision = "single" }) => ({ backend: await createWebGpu({ precision }), threads: 1, notes: [] }),
  auto: openBest,
};

/** Name of a backend's device in reports. */
export function deviceName({ name }: Backend): string {
  return name === "wasm" ? "cpu" : name;
}

/** The most that `createWasm` accepts. */
const MOST_THREADS = 256;

/** Opens the CPU with at most one thread per core: more would only wait for each other. */
async function openCpu({ threads: wanted }: Pick<DeviceWish, "threads">): Promise<OpenedDevice> {
  const cores = Math.min(availableParallelism(), MOST_THREADS);
  const threads = Math.min(wanted ?? cores, cores);
  const notes =
    wanted !== undefined && wanted > cores ? [`--threads ${wanted}: this machine has ${cores}; using ${cores}`] : [];
  return { backend: await createWasm({ threads }), threads, notes };
}

/** A GPU where there is one and the graph is large enough, else the CPU. */
async function openBest(wish: DeviceWish): Promise<OpenedDevice> {
  if (wish.threads !== undefined || wish.numNodes < GPU_PAYS_FROM) return openCpu(wish);
  try {
    const { backend, description } = await openRealGpu();
    return { backend, threads: 1, notes: [`running on the GPU (${description}); --device cpu runs on the CPU`] };
  } catch (error) {
    const cpu = await openCpu(wish);
    return {
      ...cpu,
      notes: [...cpu.notes, `running on the CPU: ${(error as Error).message.replace(/^createWebGpu: /, "")}`],
    };
  }
}

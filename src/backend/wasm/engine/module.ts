import { check } from "../../../core/errors.ts";
import { kernelFile } from "../kernel-files.ts";
import type { Kernel } from "./control.ts";
import { isNode } from "./thread.ts";

/** Columns up to which a product with a long k may be split along k; sets the size of a thread's scratch space. */
export const MAX_SPLIT_COLS = 1024;

/** A function whose body is one relaxed multiply-add: it validates where the runtime knows the instruction. */
const RELAXED_PROBE = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0], // magic, version
  ...[1, 5, 1, 96, 0, 1, 123], // type: () -> v128
  ...[3, 2, 1, 0], // function 0 has type 0
  ...[10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
]);

export function hasRelaxedSimd(): boolean {
  return WebAssembly.validate(RELAXED_PROBE);
}

/** Compiles the kernels. */
export async function loadModule(relaxedSimd: boolean): Promise<WebAssembly.Module> {
  const file = kernelFile(relaxedSimd);
  const bytes = await bytesOf(file).catch(() => null);
  check(bytes !== null, () => `createWasm: ${file.pathname} is not there; build it with npm run build`);
  return WebAssembly.compile(bytes);
}

async function bytesOf(file: URL): Promise<BufferSource | null> {
  if (isNode) return process.getBuiltinModule("node:fs/promises").readFile(file); // no import, which bundlers would follow
  const response = await fetch(file);
  return response.ok ? response.arrayBuffer() : null;
}

/** The kernels of one thread, with its own scratch space. */
export function instantiate(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  scratch: number,
): Record<string, Kernel> {
  const abort = () => {
    throw new Error("a kernel aborted");
  };
  const { exports } = new WebAssembly.Instance(module, { env: { memory, abort } });
  const kernels = exports as unknown as Record<string, Kernel>;
  (kernels["setScratch"] as unknown as (address: number) => void)(scratch);
  return kernels;
}

export interface NamedKernel {
  readonly name: string;
  readonly call: Kernel;
}

/** The kernels in the order of the module's exports. The order is the same in every thread: numbers name kernels. */
export function kernelTable(module: WebAssembly.Module, kernels: Record<string, Kernel>): NamedKernel[] {
  return WebAssembly.Module.exports(module)
    .filter(({ kind }) => kind === "function")
    .map(({ name }) => ({ name, call: kernels[name] }));
}

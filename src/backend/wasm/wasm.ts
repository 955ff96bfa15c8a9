import { check } from "../../core/errors.ts";
import type { Backend, CoreKernels, DerivedKernels } from "../backend.ts";
import { complete, type KernelOptions } from "../compose/complete.ts";
import { pairTerms as composePairTerms } from "../compose/pair-terms.ts";
import { batchNorm } from "./batch-norm.ts";
import { convolve } from "./convolve.ts";
import { dropout } from "./dropout.ts";
import { elementwise } from "./elementwise.ts";
import { Engine } from "./engine.ts";
import { indexedRows } from "./indexed-rows.ts";
import { localPageRank } from "./local-page-rank.ts";
import { matmul } from "./matmul.ts";
import { SharedHeap } from "./memory.ts";
import { hasRelaxedSimd, instantiate, loadModule, MAX_SPLIT_COLS } from "./module.ts";
import { pageRank } from "./page-rank.ts";
import { pairTerms } from "./pair-terms.ts";
import { pairs } from "./pairs.ts";
import { Pool } from "./pool.ts";
import { projection } from "./projection.ts";
import { pushRows } from "./push-rows.ts";
import { reductions } from "./reductions.ts";
import { robust } from "./robust.ts";
import { rows } from "./rows.ts";
import { selection } from "./selection.ts";
import { sparse } from "./sparse.ts";
import { canShareMemory } from "./thread.ts";
import { topKRows } from "./top-k-rows.ts";
import { transpose } from "./transpose.ts";

/** Options of {@link createWasm}. */
export interface WasmOptions extends KernelOptions {
  /**
   * Threads that work on a kernel, the calling one included. Default: as many as the machine runs at once, or one on a page
   * that is not cross-origin isolated.
   */
  readonly threads?: number;
  /** Use fused multiply-add. Default: where the runtime has it. Results differ from the other choice in the last bits. */
  readonly relaxedSimd?: boolean;
}

/**
 * The CPU backend: WebAssembly SIMD kernels on worker threads over one shared memory.
 *
 * @example
 * const cpu = await createWasm({ threads: 4 });
 * // toDevice(cpu, graph), new Gcn(cpu, …)
 * await cpu.close(); // ends the threads; without it Node keeps running
 */
export async function createWasm(options: WasmOptions = {}): Promise<Backend> {
  const engine = await startEngine(options);
  const { heap, pool } = engine;
  const kernels: CoreKernels & Partial<DerivedKernels> = {
    name: "wasm",
    memory: heap,
    alloc: (dtype, length) => heap.alloc(dtype, length),
    upload: (data) => heap.upload(data),
    write: (buffer, data) => heap.write(buffer, data),
    read: async (buffer) => heap.read(buffer),
    view: (buffer, begin, length) => heap.view(buffer, begin, length),
    free: (buffer) => heap.free(buffer),
    close: () => pool.close(),
    ...elementwise(engine),
    ...dropout(engine),
    ...rows(engine),
    ...indexedRows(engine),
    ...reductions(engine),
    ...batchNorm(engine),
    ...matmul(engine),
    ...sparse(engine),
    ...pageRank(engine),
    ...localPageRank(engine),
    ...robust(engine),
    ...selection(engine),
    ...topKRows(engine),
    ...transpose(engine),
    ...pushRows(engine),
    ...projection(engine),
    ...pairs(engine),
  };
  const fused = { ...kernels, ...convolve(engine, kernels) };
  const backend = complete({ ...fused, ...pairTerms(engine, composePairTerms(fused as Backend)) }, options);
  return backend;
}

/** Memory and threads without the kernels' argument checks; benchmarks probe the machine with it. @internal */
export async function startEngine({
  threads = canShareMemory() ? navigator.hardwareConcurrency : 1,
  relaxedSimd,
}: WasmOptions): Promise<Engine> {
  check(
    Number.isInteger(threads) && threads >= 1 && threads <= 256,
    () => `createWasm: threads must be a whole number from 1 to 256, got ${threads}`,
  );
  check(
    threads === 1 || canShareMemory(),
    () =>
      `createWasm: ${threads} threads need a page served with the headers Cross-Origin-Opener-Policy: same-origin and ` +
      "Cross-Origin-Embedder-Policy: require-corp; leave out threads for one",
  );
  const module = await loadModule(relaxedSimd ?? hasRelaxedSimd());
  const heap = new SharedHeap();
  const sizes = instantiate(module, heap.memory, 0) as unknown as { scratchBytes(cols: number): number };
  const bytes = sizes.scratchBytes(MAX_SPLIT_COLS);
  const scratch = Array.from({ length: threads }, () => heap.reserve(bytes));
  return new Engine(heap, await Pool.start(module, heap.memory, scratch));
}

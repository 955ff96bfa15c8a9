import { check } from "../../core/errors.ts";
import type { Backend, CoreKernels, DerivedKernels } from "../backend.ts";
import { complete, type KernelOptions } from "../compose/complete.ts";
import { pairTerms as composePairTerms } from "../compose/pair-terms.ts";
import { matmul } from "./dense/matmul.ts";
import { transpose } from "./dense/transpose.ts";
import { elementwise } from "./elementwise/elementwise.ts";
import { Engine } from "./engine/engine.ts";
import { SharedHeap } from "./engine/memory.ts";
import { hasRelaxedSimd, instantiate, loadModule, MAX_SPLIT_COLS } from "./engine/module.ts";
import { Pool } from "./engine/pool.ts";
import { canShareMemory } from "./engine/thread.ts";
import { localPageRank } from "./page-rank/local-page-rank.ts";
import { pageRank } from "./page-rank/page-rank.ts";
import { pushRows } from "./page-rank/push-rows.ts";
import { budgetProjection } from "./pairs/budget-projection.ts";
import { pairTerms } from "./pairs/pair-terms.ts";
import { pairs } from "./pairs/pairs.ts";
import { robust } from "./robust/robust.ts";
import { batchNorm } from "./rows/batch-norm.ts";
import { indexedRows } from "./rows/indexed-rows.ts";
import { reductions } from "./rows/reductions.ts";
import { rowWise } from "./rows/row-wise.ts";
import { topK } from "./selection/top-k.ts";
import { topKRows } from "./selection/top-k-rows.ts";
import { convolve } from "./sparse/convolve.ts";
import { sparse } from "./sparse/sparse.ts";
import { flipTrials } from "./trials/flip-trials.ts";

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
    ...rowWise(engine),
    ...indexedRows(engine),
    ...reductions(engine),
    ...batchNorm(engine),
    ...matmul(engine),
    ...sparse(engine),
    ...pageRank(engine),
    ...localPageRank(engine),
    ...robust(engine),
    ...topK(engine),
    ...topKRows(engine),
    ...transpose(engine),
    ...pushRows(engine),
    ...budgetProjection(engine),
    ...pairs(engine),
    ...flipTrials(engine),
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
